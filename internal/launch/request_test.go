package launch

import "testing"

// "curl URL -H …", with which guides test a server, was refused because it "installs a server".
func TestARequestOfCurlIsAServer(t *testing.T) {
	sys := disk{}.system(every...)
	understands(t, sys, [][2]string{
		{`curl -X POST https://mcp.linear.app/mcp -H "Content-Type: application/json" -H 'Authorization: Bearer abc' -d '{"jsonrpc": "2.0"}'`, "https://mcp.linear.app/mcp Authorization=Bearer abc | web mcp.linear.app | linear"},
		{"curl https://example.org/mcp", "https://example.org/mcp | web example.org | example"},
		{"curl -LO https://example.org/mcp/install.sh", `error: The command "curl -LO https://example.org/mcp/install.sh" loads something but starts no server`},
		{"npx -y a-mcp\ncurl http://localhost:3000/mcp", "npx -y a-mcp | npm a-mcp | a"},
	})
}
