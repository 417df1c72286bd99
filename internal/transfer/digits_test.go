package transfer

import (
	"os"
	"path/filepath"
	"testing"
)

// An import keeps all digits of numbers, which a float64 would change.
func TestImportedNumbersKeepTheirDigits(t *testing.T) {
	const id = "98765432109876543210"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.json": `{"mcpServers": {"d": {"command": "npx", "args": ["d-mcp", ` + id + `], "env": {"ID": ` + id + `}}}}`,
		"b.yaml": "extensions:\n  d:\n    cmd: npx\n    args: [d-mcp, " + id + "]\n    envs: {ID: " + id + "}\n    timeout: 300\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := Read(FileAt(path), sys)
		if f.Err != nil || len(f.Servers) != 1 || f.Servers[0].Err != nil {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		if s := f.Servers[0].Server; s.Args[1] != id || len(s.Env) != 1 || s.Env[0].Value != id {
			t.Errorf("%s: %v, %v", name, s.Args, s.Env)
		}
	}
}
