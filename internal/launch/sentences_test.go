package launch

import "testing"

// A prompt, a call of a tool, a tree of files and a drawing are no commands with a mistake.
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
