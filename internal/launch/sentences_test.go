package launch

import "testing"

// A prompt, a tool call, a file tree and a drawing are not commands with a mistake.
func TestTextsWithoutAServer(t *testing.T) {
	const nobody, fs = "error: This text names no MCP server", "https://fs.example/mcp | web fs.example | fs"
	understands(t, disk{}.system(every...), [][2]string{
		{"I'm about to merge my pull request. Can you check it?", nobody},
		{"Show me all open pull requests of my project", nobody},
		{"私のプロジェクトをすべてリストアップしてください。", nobody},
		{"get_item(item_key=\"ABCD1234\")", nobody},
		{"execute_tool(tool_name: \"get_routes\", params: { verb: \"POST\" })\nexecute_tool(tool_name: \"get_schema\")", nobody},
		{"+------------+     +-----------+\n|  Client    |     |  Server   |\n+------------+     +-----------+", nobody},
		{"┌────────────┐\n│ Assistant (MCP Client) │\n└────────────┘", nobody},
		{"\"scopedRegistries\": [\n  {\"name\": \"Packages\", \"url\": \"https://package.example.com\", \"scopes\": [\"com.acme\"]}\n]", "error: This JSON names no MCP server"},
		{"\"Analyze sales.csv and show top customers\" → the assistant runs code", nobody},
		{"<p align=\"center\">\n<a href=\"https://acme.example\">Acme</a>\n</p>\n\nA server (for files)", nobody},
		{`{"@context": "https://schema.org", "@type": "Organization", "name": "Acme", "url": "https://acme.example"}`, "error: This JSON names no MCP server"},
		{"MCP Server URL (remote): https://fs.example/mcp", fs},
		{"Connect your client to https://fs.example/mcp, and sign in.", fs},
		{"Connect your client as https://docs.acme.example/ai/mcp says.", nobody},
		{"fs-server --name \"a", "error: There is a mistake in this command: it ends without closing quote `\"`"},
		{"Fs-Server --name a b c", `error: "Fs-Server" is neither a program on this computer nor a path`},
	})
}

// A README without its Markdown marks, as copied from a browser, names its server, too.
func TestREADMEsOfABrowser(t *testing.T) {
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	understands(t, disk{}.system(every...), [][2]string{
		{"Files MCP\n\nIt reads files (and folders).\n\nInstallation\n\nnpm install -g fs-mcp\n\nUsage\n\nnpx -y fs-mcp\n\nLicense\n\nMIT", fs},
		{"fs-mcp\n\nIt reads files (and folders).\n\nUsage\n\nnpx -y \\\n  fs-mcp\n\nnpm audit: the pull requests with advisories fail\n", fs},
		{"Files MCP\n\nCheck your version (at least 20):\n\nnode -v\n\nThen:\n\n{\n  \"mcpServers\": {\n    \"fs\": {\"command\": \"npx\", \"args\": [\"-y\", \"fs-mcp\"]}\n  }\n}\n\nConfiguration Options\n\ncommand: Command to execute the npm package\nargs:\n-y: Auto-respond \"yes\" to prompts\nLast argument specifies the package name\n", fs},
		{"Files MCP\n\nFill out the form:\n\nName: fs\nCommand: npx\nArguments: -y fs-mcp\n\nClaude Desktop\n\nOpen the settings (or the file), and restart.\n", fs},
		{"Files MCP\n\nRegistry (of packages):\n\n\"registries\": [\n  {\n    \"name\": \"Packages\",\n    \"url\": \"https://package.example.com\"\n  }\n]\n\nnpx -y fs-mcp\n", fs},
		{"Files MCP\n\nSee the documents (of another page).\n\nMIT", "error: This text names no MCP server"},
	})
}
