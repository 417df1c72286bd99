//go:build linux

package client_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// npm installs the modules of a workspace in its root. A command in one of the workspace's
// packages could not read them, so they were reported as missing. The rest of the root stays
// inaccessible.
func TestCommandReadsTheModulesOfItsWorkspace(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	root := t.TempDir()
	folder := filepath.Join(root, "packages", "a")
	source, err := os.ReadFile(servertest.Dice())
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

// The packages of a workspace link to each other. goated reported such a package as not
// installed, although it was only outside the sandbox. The permission that goated asks for
// makes the server run.
func TestLinkedPackageOfAWorkspace(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	root := t.TempDir()
	folder, lib := filepath.Join(root, "packages", "a"), filepath.Join(root, "packages", "lib")
	source, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		lib + "/package.json": `{"name": "lib", "main": "i.js"}`, lib + "/i.js": "",
		folder + "/index.js": "require('lib')\n" + string(source), folder + "/module.mjs": "import 'lib'\n",
		root + "/node_modules/.package-lock.json": "{}",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "packages", "lib"), filepath.Join(root, "node_modules", "lib")); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	want := sandbox.Permission{Kind: sandbox.ToRead, Path: lib}
	for name, c := range map[string]client.Config{
		"command": {Command: "node", Args: []string{"."}, Dir: folder},
		"script":  {Path: filepath.Join(folder, "index.js")},
		"module":  {Command: "node", Args: []string{filepath.Join(folder, "module.mjs")}},
	} {
		c.Name = name
		if d := diagnosis(t, h, c); d.Cause != diagnose.AccessRefused || d.Args.Permission != want {
			t.Errorf("%s: %+v", name, d)
		}
		servers := h.Snapshot().Servers
		if s := servers[len(servers)-1]; !slices.Contains(s.Needs, want) {
			t.Errorf("%s: it asks for %v", name, s.Needs)
		}
		if c.Grant.Read = []string{lib}; name != "module" {
			c.Name += " with its permission"
			connect(t, h, c)
		}
	}
}
