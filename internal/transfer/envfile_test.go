package transfer

import (
	"os"
	"path/filepath"
	"testing"

	"goated/internal/launch"
)

// The variables in an envFile were silently dropped.
func TestVariablesOfAnEnvFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"keys.env": "# of the shop\nexport API_KEY='abc'\nMODE=a\n", ".vscode/mcp.json": `{"servers":{
		"a":{"command":"npx","args":["a-mcp"],"env":{"MODE":"b"},"envFile":"${workspaceFolder}/keys.env"},
		"b":{"command":"npx","args":["b-mcp"],"envFile":"${workspaceFolder}/none.env"},
		"c":{"command":"npx","args":["c-mcp"],"envFile":"keys.env"}}}`} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := Read(FileAt(filepath.Join(dir, ".vscode", "mcp.json")), launch.Here(sys.LookPath))
	if len(found.Servers) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, want := range []string{"API_KEY=abc MODE=b", "", "API_KEY=abc MODE=a"} {
		got := ""
		for _, v := range found.Servers[i].Server.Env {
			got += " " + v.Name + "=" + v.Value
		}
		if got != "" {
			got = got[1:]
		}
		unread := ""
		for _, n := range found.Servers[i].Server.Notes {
			if n.Kind == launch.EnvFileUnread {
				unread = n.Subject
			}
		}
		if got != want || (unread == filepath.Join(dir, "none.env")) != (i == 1) {
			t.Errorf("%s: %q, unread: %q", found.Servers[i].Name, got, unread)
		}
	}
}
