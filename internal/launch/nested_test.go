package launch

import "testing"

// Some links and pages have the name of a server next to its configuration.
func TestNamesBesideTheConfiguration(t *testing.T) {
	const want = "npx -y w-mcp | npm w-mcp | weather"
	config := `{"name": "weather", "config": {"command": "npx", "args": ["-y", "w-mcp"]}}`
	understands(t, disk{}.system(every...), [][2]string{
		{config, want},
		{"[" + config + "]", want},
		{`{"mcpServers": [` + config + "]}", want},
		{`{"mcpServers": {"weather": ` + config + "}}", want},
		{"vscode:mcp/install?" + "%7B%22name%22%3A%22weather%22%2C%22config%22%3A%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22w-mcp%22%5D%7D%7D", want},
		{`{"name": "weather", "config": {"transport": {"type": "http", "url": "https://w.example/mcp"}}}`, "https://w.example/mcp | web w.example | weather"},
		{`{"config": {"command": "npx", "args": ["-y", "c-mcp"]}}`, "npx -y c-mcp | npm c-mcp | config"}, // the name of the server
		{`{"config": {"command": "npx", "args": ["c-mcp"]}, "w": {"command": "npx", "args": ["w-mcp"]}}`, "npx c-mcp | npm c-mcp | config\nnpx w-mcp | npm w-mcp | w"},
	})
}

// An empty container, which clients create initially, does not hide a container with servers.
func TestEmptyContainersHideNoServers(t *testing.T) {
	const none = "error: This JSON names no MCP server"
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {}, "servers": {"x": {"command": "npx", "args": ["x-mcp"]}}}`, "npx x-mcp | npm x-mcp | x"},
		{`{"mcpServers": [], "mcp": {"x": {"command": "npx", "args": ["x-mcp"]}}}`, "npx x-mcp | npm x-mcp | x"},
		{`{"mcp": {"servers": {}, "x": {"command": "npx", "args": ["x-mcp"]}}}`, "npx x-mcp | npm x-mcp | x"},
		{`{"mcpServers": {}}`, none},
		{`{"mcpServers": [], "theme": {"name": "dark"}}`, none},
		{`{"mcp": {"servers": {}}}`, none},
		{`{"mcp": {"servers": {}, "inputs": [], "gateway": {"port": 1}}}`, none},
	})
}

// VS Code writes the path separator as ${/}.
func TestPathSeparators(t *testing.T) {
	sys := disk{"/work/src/server.py": ""}.system(every...)
	const want = "python3 /work/src/server.py ROOT=/work/data | file /work/src/server.py | work"
	understands(t, sys, [][2]string{
		{`{"command": "python3", "args": ["${workspaceFolder}${/}src${/}server.py"], "env": {"ROOT": "${workspaceFolder}${pathSeparator}data"}}`, want},
		{"ROOT=$PWD${/}data python3 ./src${/}server.py", want},
	})
	sys.Windows = true
	understands(t, sys, [][2]string{{`{"command": "npx", "args": ["x-mcp", "src${/}a"]}`, `npx x-mcp src\a | npm x-mcp | x`}})
}

// A server may have the name of a container.
func TestServersNamedAsContainers(t *testing.T) {
	const one = `{"command": "npx", "args": ["x-mcp"]}`
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"mcp": ` + one + `, "servers": ` + one + `}}`, "npx x-mcp | npm x-mcp | mcp\nnpx x-mcp | npm x-mcp | servers"},
		{"[[mcp_servers]]\nname = 'x'\ncommand = 'npx'\nargs = ['x-mcp']\n", "npx x-mcp | npm x-mcp | x"},
	})
}
