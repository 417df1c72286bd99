//go:build linux

package client_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
)

// npm installs the modules of a workspace in its root. A command in one of its packages did not
// read them, and they were said to be missing. The rest of the root stays closed.
func TestCommandReadsTheModulesOfItsWorkspace(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	root := t.TempDir()
	folder := filepath.Join(root, "packages", "a")
	source, err := os.ReadFile("testdata/dice.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"package.json": `{"name": "root", "workspaces": ["packages/*"]}`, "secret.txt": "x",
		"node_modules/dep/package.json": `{"name": "dep", "main": "i.js"}`, "node_modules/dep/i.js": "",
		"packages/a/package.json": `{"name": "a", "main": "index.js"}`,
		"packages/a/index.js":     "require('dep')\nlet read = true\ntry { require('fs').readFileSync('" + root + "/secret.txt') } catch { read = false }\nif (read) throw new Error('it reads the root')\n" + string(source),
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := host(t, client.Options{Data: t.TempDir()})
	for name, c := range map[string]client.Config{
		"in its folder": {Command: "node", Args: []string{"."}, Dir: folder},
		"by its path":   {Command: "node", Args: []string{folder}},
	} {
		c.Name = name
		connect(t, h, c)
	}
	if got := h.Snapshot().Servers[0].Policy.Read; slices.Contains(got, root) {
		t.Errorf("it reads %q", got)
	}
}
