package client

import (
	"os"
	"path/filepath"
	"testing"
)

// A server is named after its package, its folder or its host, never "index", "main", "server"
// or "proxy" (measured with 37 servers, of which nine were server.py).
func TestNamesSaySomething(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/package.json", `{"name":"@modelcontextprotocol/server-filesystem"}`)
	write("a/dist/package.json", `{"type":"module"}`)
	write("a/dist/index.js", "")
	write("b/package.json", "{ damaged")
	write("b/index.js", "")
	write("mail/server.py", "")
	write("tides/go.mod", "module example.org/x/tides-mcp\n")
	write("tides/main.go", "package main\n")
	write("remote/node_modules/mcp-remote/package.json", `{"name":"mcp-remote"}`)
	write("remote/node_modules/mcp-remote/dist/proxy.js", "")
	if err := os.Symlink(filepath.Join(root, "a/dist/index.js"), filepath.Join(root, "b/main.js")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a/dist/index.js": "filesystem", "a/dist/weather.js": "weather", "b/index.js": "b", "b/main.js": "filesystem",
		"mail/server.py": "mail", "tides/main.go": "tides", "remote/node_modules/mcp-remote/dist/proxy.js": "remote",
	} {
		if got := (Config{Path: filepath.Join(root, path)}).name(); got != want {
			t.Errorf("%s is called %q, not %q", path, got, want)
		}
	}
	for _, c := range []struct {
		c    Config
		want string
	}{
		{Config{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-memory"}}, "memory"},
		{Config{Command: "uvx", Args: []string{"mcp-server-time"}}, "time"},
		{Config{Command: "go", Args: []string{"run", "."}, Dir: filepath.Join(root, "tides")}, "tides"},
		{Config{Command: "/usr/bin/node", Args: []string{filepath.Join(root, "a/dist/index.js")}}, "filesystem"},
		{Config{Command: filepath.Join(root, "mail/.venv/bin/mail-mcp")}, "mail"},
		{Config{URL: "https://mcp.linear.app/mcp"}, "linear"},
		{Config{Command: "npx", Args: []string{"x"}, Name: "Work"}, "Work"},
	} {
		if got := c.c.name(); got != c.want {
			t.Errorf("%+v is called %q, not %q", c.c, got, c.want)
		}
	}
}
