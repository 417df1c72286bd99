package launch

import "testing"

// "curl URL -H …", with which guides test a server, used to be refused because it "installs a server".
func TestARequestOfCurlIsAServer(t *testing.T) {
	sys := disk{}.system(every...)
	understands(t, sys, [][2]string{
		{`curl -X POST https://mcp.linear.app/mcp -H "Content-Type: application/json" -H 'Authorization: Bearer abc' -d '{"jsonrpc": "2.0"}'`, "https://mcp.linear.app/mcp Authorization=Bearer abc | web mcp.linear.app | linear"},
		{"curl https://example.org/mcp", "https://example.org/mcp | web example.org | example"},
		{"curl -LO https://example.org/mcp/install.sh", `error: The command "curl -LO https://example.org/mcp/install.sh" loads something but starts no server`},
		{"npx -y a-mcp\ncurl http://localhost:3000/mcp", "npx -y a-mcp | npm a-mcp | a"},
	})
}

// A key that curl sends in another way than "-H NAME: KEY" used to be dropped silently, and a file used
// to be taken for a server.
func TestARequestOfCurlKeepsItsKey(t *testing.T) {
	const fs, loads = "https://fs.example/mcp Authorization=", " loads something but starts no server"
	understands(t, disk{}.system(every...), [][2]string{
		{`curl -H"Authorization: Bearer abc" https://fs.example/mcp`, fs + "Bearer abc | web fs.example | fs"},
		{"curl --oauth2-bearer abc https://fs.example/mcp", fs + "Bearer abc | web fs.example | fs"},
		{"curl -u ada:abc https://fs.example/mcp", fs + "Basic YWRhOmFiYw== | web fs.example | fs"},
		{"curl -u ada:$KEY https://fs.example/mcp", `error: The command "curl -u ada:${KEY} https://fs.example/mcp"` + loads},
		{"curl -fsSLo fs https://mcp.fs.example/linux", `error: The command "curl -fsSLo fs https://mcp.fs.example/linux"` + loads},
		{"curl -fsSL https://mcp.fs.example/install", `error: The command "curl -fsSL https://mcp.fs.example/install"` + loads},
		{"curl https://mcp.fs.example/health", `error: The command "curl https://mcp.fs.example/health"` + loads},
	})
}

// curl commands and READMEs used to recognize servers by two different patterns. A link to a script
// counted as a server, and fewer hosts were recognized in a curl command.
func TestServersHaveOneFormOfAddress(t *testing.T) {
	const loads = " loads something but starts no server"
	understands(t, disk{}.system(every...), [][2]string{
		{"curl https://mcp-fs.example/v1", "https://mcp-fs.example/v1 | web mcp-fs.example | fs"},
		{"curl https://eu.mcp.fs.example/v1", "https://eu.mcp.fs.example/v1 | web eu.mcp.fs.example | fs"},
		{"curl https://fs.example/mcp-guide", `error: The command "curl https://fs.example/mcp-guide"` + loads},
		{"Run [the installer](https://mcp.fs.example/install.sh).\n\n```sh\nmake\n```\n", "error: This text names no MCP server"},
		{"The server is at [fs](https://fs.example/v1/mcp/ada?key=1).\n\n```sh\nmake\n```\n", "https://fs.example/v1/mcp/ada?key=1 | web fs.example | fs"},
	})
}
