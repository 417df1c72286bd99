package client

import (
	"context"
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

// goated looks at the files of a server once for each start. It read up to 200 Go files at each change of
// the list of servers, such as the start of another one.
func TestSourcesAreFoundOncePerStart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module x\n")
	write("main.go", "package main\nfunc main() {}\n")
	h := New(Options{Env: []string{}})
	defer h.Close()
	s := newServer(h, Config{Path: filepath.Join(dir, "main.go")})
	if err := h.list.add(s); err != nil {
		t.Fatal(err)
	}
	known := sourcesOf(h, nil)
	write("helper.go", "package main\nfunc helper() {}\n")
	known = sourcesOf(h, known)
	if got := known[s]; got.File != "main.go" {
		t.Errorf("the running server has the source %+v now", got)
	}
	next := newServer(h, s.config)
	if !h.list.replace(s, next) {
		t.Fatal("it is not replaced")
	}
	if known = sourcesOf(h, known); len(known) != 1 || known[next].File != "" {
		t.Errorf("after a restart the sources are %+v", known)
	}
	s.failStart(context.Canceled)
	next.failStart(context.Canceled)
}
