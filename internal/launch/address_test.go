package launch

import "testing"

// People copy addresses without their scheme, from tables, and from pages about a server.
func TestAddressesAndPages(t *testing.T) {
	page := func(address string) string {
		return "error: " + address + " is a page about a server, not a server on the web"
	}
	repository := func(address string) string {
		return "error: " + address + " is a repository of source code, not a server on the web"
	}
	understands(t, disk{}.system(every...), [][2]string{
		{"localhost:3000/mcp", "http://localhost:3000/mcp | web localhost:3000 | localhost-3000"},
		{"localhost:8080", "http://localhost:8080 | web localhost:8080 | localhost-8080"},
		{"127.0.0.1:8000/sse", "http://127.0.0.1:8000/sse (sse) | web 127.0.0.1:8000 | localhost-8000"},
		{"[::1]:8000/mcp", "http://[::1]:8000/mcp | web [::1]:8000 | localhost-8000"},
		{"mcp.example.com", "https://mcp.example.com | web mcp.example.com | example"},
		{"mcp.example.com/v1", "https://mcp.example.com/v1 | web mcp.example.com | example"},
		{"example.com:8443/api/mcp/", "https://example.com:8443/api/mcp/ | web example.com:8443 | example"},
		{"URL: https://a.example/mcp", "https://a.example/mcp | web a.example | a"},
		{"Server URL: https://a.example/mcp", "https://a.example/mcp | web a.example | a"},
		{"Command: npx -y a-mcp", "npx -y a-mcp | npm a-mcp | a"},
		{"https://registry.npmjs.org/@x/y", "npx -y @x/y | npm @x/y | y"},
		{"https://pypi.python.org/pypi/a-mcp/1.2", "uvx a-mcp@1.2 | pypi a-mcp 1.2 | a"},
		{"https://hub.docker.com/mcp/server/time/overview", "docker run -i --rm mcp/time | container mcp/time | time"},
		{"https://ghcr.io/x/y", "docker run -i --rm ghcr.io/x/y | container ghcr.io/x/y | y"},
		{"https://pkg.go.dev/github.com/x/y", "go run github.com/x/y@latest | go github.com/x/y latest | y"},
		{"https://smithery.ai/server/@x/y", page("https://smithery.ai/server/@x/y")},
		{"https://www.pulsemcp.com/servers/x", page("https://www.pulsemcp.com/servers/x")},
		{"https://www.nuget.org/packages/A", page("https://www.nuget.org/packages/A")},
		{"https://raw.githubusercontent.com/x/y/main/server.py", page("https://raw.githubusercontent.com/x/y/main/server.py")},
		{"https://server.smithery.ai/@x/y/mcp", "https://server.smithery.ai/@x/y/mcp | web server.smithery.ai | smithery"},
		{"git@github.com:x/y.git", repository("git@github.com:x/y.git")},
		{"ssh://git@github.com/x/y", repository("ssh://git@github.com/x/y")},
		{"mcp.json", `error: "mcp.json" is neither a program on this computer nor a path`},
		{"mcp.local.json", `error: "mcp.local.json" is neither a program on this computer nor a path`},
		{"goose://extension?url=https%3A%2F%2Fb.example%2Fmcp&type=streamable_http&name=B&header=X-Key%3DYOUR_KEY", "https://b.example/mcp X-Key?YOUR_KEY | web b.example | B"},
	})
}

// An address with a placeholder for its host or port was "not a web address". The user is asked for it.
func TestAddressesWithoutAHost(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"milvus": {"url": "http://your_sse_host:port/sse"}}}`, "http://your_sse_host:port/sse | web http://your_sse_host:port/sse | milvus !1 http://your_sse_host:port/sse"},
		{`{"mcpServers": {"lab": {"url": "http(s)://<your_server>/mcp", "headers": {"Authorization": "Bearer glpat-..."}}}}`, "http(s)://<your_server>/mcp Authorization?Bearer glpat-... | web http(s)://<your_server>/mcp | lab !1 http(s)://<your_server>/mcp"},
		{`{"mcpServers": {"x": {"url": "http://localhost:<port>/mcp"}}}`, "http://localhost:<port>/mcp | web http://localhost:<port>/mcp | x !1 http://localhost:<port>/mcp"},
		{`{"mcpServers": {"x": {"url": "http://a b/mcp"}}}`, "error: http://a b/mcp is not a web address"},
	})
}
