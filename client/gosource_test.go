package client

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A Go program of several files is compiled as one package. Compiling only the first file
// failed with "undefined: helper", which was reported as a mistake in the script (measured).
func TestGoProgramOfSeveralFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"several files of one program", map[string]string{"go.mod": "module x\n", "main.go": "package main\nfunc main() { helper() }\n", "helper.go": "package main\nfunc helper() {}\n"}, "."},
		{"one file", map[string]string{"go.mod": "module x\n", "main.go": "package main\nfunc main() {}\n"}, "./main.go"},
		{"several programs", map[string]string{"go.mod": "module x\n", "main.go": "package main\nfunc main() {}\n", "b.go": "package main\nfunc main() {}\n", "c.go": "package main\n"}, "./main.go"},
		{"tests beside it", map[string]string{"go.mod": "module x\n", "main.go": "package main\nfunc main() {}\n", "main_test.go": "package main\n"}, "./main.go"},
		{"no module", map[string]string{"main.go": "package main\nfunc main() {}\n", "helper.go": "package main\n"}, "./main.go"},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		l, err := Config{Path: filepath.Join(dir, "main.go"), Args: []string{"-v"}}.launch()
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"run", c.want, "-v"}; !slices.Equal(l.Args, want) || l.Dir != dir {
			t.Errorf("%s: %q in %s, want %q", c.name, l.Args, l.Dir, want)
		}
		if !compiles(l) {
			t.Errorf("%s: goated compiles no source of %q", c.name, l.Args)
		}
	}
	for _, args := range [][]string{{"run", "example.org/x@latest"}, {"run", "-race", "."}, {"version"}, {"run"}} {
		if compiles(Launch{Programs: []string{"go"}, Args: args}) {
			t.Errorf("goated compiles a source of go %q", args)
		}
	}
}
