package transfer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Importing a file accepts every form that pasting accepts, regardless of the client.
func TestFilesOfAnyClient(t *testing.T) {
	const one = `{"command": "npx", "args": ["x-mcp"]}`
	dir := t.TempDir()
	for i, c := range []struct{ ext, text, want string }{
		{"json", `{"$schema": "https://opencode.ai/config.json", "mcp": {"x": {"type": "local", "command": ["npx", "x-mcp"]}}}`, "x"},
		{"json", `{"amp.mcpServers": {"x": ` + one + `}}`, "x"},
		{"json", `{"mcp-servers": {"x": ` + one + `}}`, "x"},
		{"json", `{"github.copilot.chat.mcp.servers": {"x": ` + one + `}, "editor.fontSize": 12}`, "x"},
		{"json", `{"mcp": {"inputs": [], "servers": {"x": ` + one + `}}}`, "x"},
		{"json", `{"mcpServers": {}, "servers": {"x": ` + one + `}}`, "x"},
		{"json", `{"mcp": {"inputs": [], "servers": {}}}`, ""},
		{"json", `{"mcpServers": {"a": ` + one + `}, "servers": {"x": ` + one + `}}`, "a x"},
		{"json", `{"mcpServers": {"mcp": ` + one + `, "servers": ` + one + `}}`, "mcp servers"},
		{"json", `[{"name": "x", "command": "npx", "args": ["x-mcp"]}, {"name": "y", "config": ` + one + `}]`, "x y"},
		{"json", `{"x": ` + one + `}`, "x"},
		{"json", `{"name": "x", "command": "npx", "args": ["x-mcp"]}`, "x"},
		{"yaml", "name: Assistant\nmcpServers:\n  - name: x\n    command: npx\n    args: [x-mcp]\n  - name: x\n    url: https://x.example/mcp\n  - command: uvx y-mcp\n", "Server 3 x x-2"},
		{"toml", "[[mcp_servers]]\nname = 'x'\ncommand = 'npx'\nargs = ['x-mcp']\n", "x"},
		{"json", `{"name": "x", "scripts": {"a": "b"}, "bugs": {"url": "https://a.example/bugs"}}`, ""},
	} {
		path := filepath.Join(dir, fmt.Sprintf("%d.%s", i, c.ext))
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := Read(FileAt(path), sys)
		var names []string
		for _, e := range f.Servers {
			if names = append(names, e.Name); e.Err != nil {
				t.Errorf("%s: %v", c.text, e.Err)
			}
		}
		if got := strings.Join(names, " "); f.Err != nil || got != c.want {
			t.Errorf("%s\n got  %q, %v\n want %q", c.text, got, f.Err, c.want)
		}
	}
}
