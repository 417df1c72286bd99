package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"goated/internal/servertest"
)

// The README's servers work as printed, with their modules beside them and not on any search path.
func TestReadmeServers(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	_, installed := servertest.Programs(t)
	tools := filepath.Dir(installed)
	for name, modules := range map[string][2]string{
		"dice.py": {".venv", filepath.Join(tools, "venv")},
		"dice.js": {"node_modules", filepath.Join(tools, "node_modules")},
	} {
		language := map[string]string{".py": "python", ".js": "js"}[filepath.Ext(name)]
		block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(string(readme))
		if block == nil {
			t.Fatalf("the README shows no %s", name)
		}
		if lines := strings.Count(block[1], "\n"); lines > 11 {
			t.Errorf("%s has %d lines; ten were promised", name, lines)
		}
		if shown, err := os.ReadFile(servertest.Script(name)); err != nil || string(shown) != block[1] {
			t.Errorf("the README's %s is not the tested one", name)
		}
		script := p.write(name, block[1])
		if err := os.Symlink(modules[1], filepath.Join(p.project, modules[0])); err != nil {
			t.Fatal(err)
		}
		for i, kv := range p.env {
			if strings.HasPrefix(kv, "NODE_PATH=") {
				p.env[i] = "NODE_PATH="
			}
		}
		out, aside, code := p.run("chat", "--yes", "--server", script, "-p", "roll a dice with 1 sides")
		if code != 0 || !strings.HasSuffix(strings.TrimSpace(out), "\n1") {
			t.Errorf("%s: status %d, %q\n%s", name, code, out, aside)
		}
	}
}

// Without a model, the first server of the README answers the sentence that the README gives for
// it.
func TestReadmeFirstServer(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^npx -y @modelcontextprotocol/server-filesystem (.*)$`).FindStringSubmatch(string(readme))
	said := regexp.MustCompile(`Say "(list .*?)"`).FindStringSubmatch(string(readme))
	if line == nil || said == nil {
		t.Fatalf("the README shows %q and %q", line, said)
	}
	p := newPlace(t)
	folder := strings.Replace(line[1], "~", p.home, 1)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plan.md", "trip.md"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := "node " + servertest.Filesystem() + " " + line[1]
	out, aside, code := p.run("chat", "--yes", "--server", server, "-p", said[1])
	if code != 0 || !strings.Contains(out, "[FILE] plan.md  \n[FILE] trip.md") {
		t.Errorf("status %d, %q\n%s", code, out, aside)
	}
}

// The commands in the README exist.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	shell := ""
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		shell += block[1]
	}
	for _, m := range regexp.MustCompile(`(?m)^goated ([a-z]+)`).FindAllStringSubmatch(shell, -1) {
		if out, aside, code := p.run(m[1], "--help"); code != 0 || !strings.Contains(out, "goated "+m[1]) {
			t.Errorf("goated %s: status %d, %s%s", m[1], code, out, aside)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)").FindAllStringSubmatch(string(readme), -1) {
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("make %s does not exist", m[1])
		}
	}
}
