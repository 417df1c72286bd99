package launch

import (
	"strings"
	"testing"
)

// A whole README names its server, wherever that is: after a version check, the tools of the project, a
// list that explains a configuration, or links to documents.
func TestWholeREADMEs(t *testing.T) {
	const (
		entry  = "```json\n{\"mcpServers\": {\"fs\": {\"command\": \"npx\", \"args\": [\"-y\", \"fs-mcp\"]}}}\n```\n"
		fs     = "npx -y fs-mcp | npm fs-mcp | fs"
		nobody = "error: This text names no MCP server"
	)
	understands(t, disk{}.system(append([]string{"cargo", "bash"}, every...)...), [][2]string{
		{"# Files\n\nCheck your shell:\n\n```shell\nbash\n```\n\n" + entry, fs},
		{"# Files\n\nRun `npx -y fs-mcp`, or:\n\n```python\nprint(1)\n```\n\n```text\nclient ─► server (one) | two\n```\n", fs},
		{"# Files\n\n" + entry + "\n- `command`: Command to execute the npm package\n- `args`:\n  - `-y`: Auto-respond \"yes\" to prompts\n  - Last argument specifies the package name\n- `env`: Environment variables\n", fs},
		{"# Files\n\n> [!NOTE]\n> Codex:\n\n```toml\n[mcp_servers.fs]\ncommand = \"npx\"\nargs = [\"-y\", \"fs-mcp\"]\n```\n\nOthers, as [described](docs/other.md):\n\n" + entry, fs},
		{"# Files\n\n```json\n{\"mcpServers\": {\"local\": {\"url\": \"http://localhost:8000/mcp\"}}}\n```\n\n```json\n{\"mcpServers\": {\"local\": {\"command\": \"fs-server\"}}}\n```\n\n" + entry, fs},
		{"# Files\n\n```sh\nuv run login.py\n```\n\n```sh\ndocker run -i --rm fs-mcp\n```\n\n```sh\nuvx fs-mcp\n```\n", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"# Files\n\n```sh\nnpx plop create-tool\n```\n\n```sh\nuvx fs-mcp\n```\n", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"# Files\n\n```json\n{\"mcpServers\": {\"fs\": {\"url\": \"https://your-server.example.com/mcp\"}}}\n```\n\n" + entry, fs},
		{"# Files\n\n```sh\nbundle exec ruby bin/fs-mcp\n```\n\n```sh\nnpx -y fs-mcp\n```\n", fs},
		{"````markdown\n```sh\nnpx -y other-mcp\n```\n````\n\n" + entry, fs},
		{"# Files\n\n" + strings.Repeat("It reads files. ", 6000) + "\n\n" + entry, fs},
		{"# Files\n\n" + strings.Repeat("```text\nShow me my files\n```\n", 60) + entry, fs},
		{"# Files\n\n<a href=\"https://cursor.com/install-mcp?name=fs&amp;config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSIsImZzLW1jcCJdfQ%3D%3D\">Install</a>\n\n```sh\nmake\n```\n", fs},
		{"# Files\n\nSee the [documents](https://docs.acme.example/ai/about-mcp) and [MCP](https://code.acme.example/docs/en/mcp).\n\n```sh\nmake\n```\n", nobody},
		{"See the [blog](https://acme.example/blog/via-mcp/).\n\n```sh\nmake\n```\n", nobody},
		{"# Files\n\n```sh\nmake\n```\n\n```\nnpx @smithery/cli install fs --client claude\n```\n", `error: The command "npx @smithery/cli install fs --client claude" sets up another program`},
		{"# Files\n\n```sh\ncargo build\n```\n\n```sh\nuv tool install fs-agent\n```\n", `error: The command "uv tool install fs-agent" installs a server but does not start it`},
	})
}

// If this computer has the program that a configuration names, the program needs no preparation.
func TestAREADMEInItsOwnCheckout(t *testing.T) {
	const readme = "Fs\n\n```json\n{\"mcpServers\": {\"fs\": {\"command\": \"node\", \"args\": [\"/work/fs/index.js\"]}}}\n```\n\nTest it:\n\n```bash\nnpx -y @acme/mcp-tester\n```\n"
	understands(t, disk{"/work/fs/index.js": ""}.system(every...), [][2]string{{readme, "node /work/fs/index.js | file /work/fs/index.js | fs"}})
	understands(t, disk{}.system(every...), [][2]string{{readme, "npx -y @acme/mcp-tester | npm @acme/mcp-tester | tester"}})
}

// The variables of one block used to be lost for the command in the next block.
func TestVariablesOfTheBlockBefore(t *testing.T) {
	const run, fs = "```sh\nnpx -y fs-mcp\n```\n", "npx -y fs-mcp FS_KEY?your-key | npm fs-mcp | fs"
	export := "# Files\n\n```sh\nexport FS_KEY=\"your-key\"\nexport PATH=$PATH:/opt/fs\n```\n\n"
	understands(t, disk{}.system(every...), [][2]string{
		{export + run, fs},
		{export + "```sh\nnpm install -g fs-mcp\n```\n\n" + run, fs},
		{"# Files\n\n```env\n# .env\nFS_KEY=your-key\nport=1\n```\n\n" + run, fs},
		{"# Files\n\n```powershell\n$env:FS_KEY = \"your-key\"\n```\n\n" + run, fs},
		{"# Files\n\n" + run + "\n" + export, "npx -y fs-mcp | npm fs-mcp | fs"},
		{export + "```json\n{\"mcpServers\": {\"fs\": {\"command\": \"npx\", \"args\": [\"-y\", \"fs-mcp\"]}}}\n```\n", "npx -y fs-mcp | npm fs-mcp | fs"},
		{export + "```sh\nuvx other\n```\n\n" + run, "npx -y fs-mcp | npm fs-mcp | fs"},
	})
}
