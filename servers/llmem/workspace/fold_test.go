package workspace

import (
	"strings"
	"testing"
)

// If git ignores case, as on macOS and Windows, a rule matches a name in any case. LLMem read
// Build/ although .gitignore contained build/. TestFilesMatchGit compares the rules with git.
func TestRulesMatchInAnyCaseWhereGitIgnoresIt(t *testing.T) {
	for _, c := range []struct{ config, want string }{
		{"[core]\n\tignorecase = true\n", "Kept.log Src/a.go"},
		{"[core]\n\tIgnoreCase\n[user]\n\tignorecase = false\n", "Kept.log Src/a.go"},
		{"[core]\n\tignorecase = false\n", "Build/a.go Src/OUT/b.go Src/Q1.txt Src/a.go X.LOG"},
		{"[core]\n\tbare = false\n[user]\n\tignorecase = true\n", "Build/a.go Src/OUT/b.go Src/Q1.txt Src/a.go X.LOG"},
	} {
		dir := t.TempDir()
		writeAll(t, dir, map[string]string{
			".git/config": c.config, ".gitignore": "build/\n*.log\n!KEPT.log\n.gitignore\n", "Src/.gitignore": "/out\n[[:lower:]]?.txt\n",
			"Build/a.go": "", "X.LOG": "", "Kept.log": "", "Src/OUT/b.go": "", "Src/a.go": "", "Src/Q1.txt": "",
		})
		w, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		listed, _, err := w.Files(t.Context())
		var have []string
		for _, f := range listed {
			have = append(have, f.Path)
			if w.Ignored(f.Path) {
				t.Errorf("%q: %s is listed, and ignored", c.config, f.Path)
			}
		}
		if err != nil || strings.Join(have, " ") != c.want {
			t.Errorf("%q: %v, %v, want %s", c.config, have, err, c.want)
		}
		if got, want := w.Ignored("Build/a.go"), !strings.Contains(c.want, "Build"); got != want {
			t.Errorf("%q: Build/a.go is ignored: %t", c.config, got)
		}
	}
}
