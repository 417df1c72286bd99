package launch

import "testing"

// Links in READMEs encode their JSON once or twice. The JSON contains spaces and plus signs.
func TestLinksKeepTheirJSON(t *testing.T) {
	const (
		district = "npx -y district-mcp | npm district-mcp | District MCP Server"
		serena   = "uvx --from git+https://github.com/oraios/serena serena | git https://github.com/oraios/serena | s"
		once     = "https://insiders.vscode.dev/redirect?url=vscode:mcp/install?"
	)
	understands(t, disk{}.system(every...), [][2]string{
		{once + "%7B%22name%22%3A%22District%20MCP%20Server%22%2C%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%20%22district-mcp%22%5D%7D", district},
		{once + `{"name":"District%20MCP%20Server","command":"npx","args":["-y",%20"district-mcp"]}`, district},
		{once + `{"name":"District MCP Server","command":"npx","args":["-y", "district-mcp"]}`, district},
		{"https://vscode.dev/redirect?url=vscode%3Amcp%2Finstall%3F%257B%2522name%2522%253A%2522District%2520MCP%2520Server%2522%252C%2522command%2522%253A%2522npx%2522%252C%2522args%2522%253A%255B%2522-y%2522%252C%2522district-mcp%2522%255D%257D", district},
		{once + "%7B%22name%22%3A%22s%22%2C%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22--from%22%2C%22git%2Bhttps%3A%2F%2Fgithub.com%2Foraios%2Fserena%22%2C%22serena%22%5D%7D", serena},
		{"vscode:mcp/install?%7B%22name%22%3A%22s%22%2C%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22--from%22%2C%22git+https%3A%2F%2Fgithub.com%2Foraios%2Fserena%22%2C%22serena%22%5D%7D", serena},
		{`vscode:mcp/install?{"name":"District MCP Server","command":"npx","args":["-y", "district-mcp"]}`, district},
		{"vscode:mcp/install?%7B%22name%22%3A%22District+MCP+Server%22%2C+%22command%22%3A%22npx%22%2C+%22args%22%3A%5B%22-y%22%2C+%22district-mcp%22%5D%7D", district},
		{once + "%7B%22name%22%3A%22s%22%2C%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22s-mcp%22%2C%22%23general%22%5D%7D", "npx s-mcp #general | npm s-mcp | s"},
		{"vscode:mcp/install?%7B%22name%22%3A%22s%22%2C%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22s-mcp%22%5D%7D adds it", "npx s-mcp | npm s-mcp | s"},
	})
}
