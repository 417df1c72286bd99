package client

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShortNames(t *testing.T) {
	for name, want := range map[string]string{
		"@modelcontextprotocol/server-filesystem": "filesystem",
		"mcp-server-sqlite":                       "sqlite",
		"weather-mcp-server":                      "weather",
		"@playwright/mcp":                         "playwright",
		"@acme/mcp-server":                        "acme",
		"mcp-server":                              "mcp-server",
		"sequential_thinking":                     "sequential-thinking",
		"notes":                                   "notes",
		"":                                        "",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%q is called %q, not %q", name, got, want)
		}
	}
}

// The script of a package is called as the package is, and every other one as
// its file.
func TestDefaultNames(t *testing.T) {
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
	if err := os.Symlink(filepath.Join(root, "a/dist/index.js"), filepath.Join(root, "b/main.js")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a/dist/index.js": "filesystem", "a/dist/weather.js": "weather", "b/index.js": "index", "b/main.js": "filesystem", "b/server.py": "server",
	} {
		if got := defaultName(filepath.Join(root, path)); got != want {
			t.Errorf("%s is called %q, not %q", path, got, want)
		}
	}
}
