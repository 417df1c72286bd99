package properties_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/client"
	"goated/internal/proctest"
)

// extensionSentence is row 2 of the design's error table.
const extensionSentence = "Invalid server script type. Must be .py, .js or .go"

// endings holds file extensions; only the first three are accepted.
var endings = []string{".py", ".js", ".go", "", ".PY", ".Py", ".jS", ".GO", ".pyc", ".pyw", ".mjs", ".cjs", ".ts", ".rb", ".sh",
	".exe", ".py ", ".js\n", ".go~", ".py.txt", "py", "js", ".go/x", ".py/", ".p\u0443", ".py\u200b"}

func paths() *rapid.Generator[string] {
	stem := rapid.OneOf(rapid.String(), rapid.StringMatching(`(/|\./|\.\./)?([a-z -]{0,6}/){0,3}[-a-z. ]{0,8}`))
	return rapid.Custom(func(t *rapid.T) string {
		return stem.Draw(t, "stem") + rapid.SampledFrom(endings).Draw(t, "ending")
	})
}

// accepted implements the rule of seed 003, plus .go.
func accepted(path string) bool {
	return strings.HasSuffix(path, ".py") || strings.HasSuffix(path, ".js") || strings.HasSuffix(path, ".go")
}

// Property 1: "For any server script path provided to the MCP client, the path
// SHALL be accepted only if it ends with ".py" or ".js", and rejected with an
// appropriate error message otherwise." goated also takes ".go", and says so.
func TestProperty1PathExtension(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := paths().Draw(t, "path")
		_, err := client.Command(path)
		if accepted(path) {
			if err != nil {
				t.Fatalf("%q is rejected: %v", path, err)
			}
			return
		}
		var e *client.Error
		if !errors.As(err, &e) || !errors.Is(err, client.ErrExtension) || err.Error() != extensionSentence {
			t.Fatalf("%q: %v", path, err)
		}
	})
}

// Property 1, through the host: the host rejects a path before it starts a process, although the
// file exists and is executable.
func TestProperty1NothingIsSpawned(t *testing.T) {
	mark := fakes(t, "python3", "python", "node", "go", "sh", "ts-node", "ruby")
	dir := t.TempDir()
	h := newHost(t, client.Options{})
	name := rapid.Custom(func(t *rapid.T) string {
		return rapid.StringMatching(`[-a-zA-Z. ]{0,12}`).Draw(t, "stem") + rapid.SampledFrom(endings).Draw(t, "ending")
	})
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "x"+strings.ReplaceAll(name.Draw(t, "name"), "/", ""))
		if accepted(path) {
			t.Skip("would run")
		}
		if err := proctest.WriteProgram(path, []byte("#!/bin/sh\necho ran >> '"+mark+"'\n")); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
		_, err := h.Connect(t.Context(), client.Config{Path: path})
		if !errors.Is(err, client.ErrExtension) || err.Error() != extensionSentence {
			t.Fatalf("%q: %v", path, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("%q was rejected, but something ran", path)
		}
		if n := len(h.Snapshot().Servers); n != 0 {
			t.Fatalf("%q was rejected, but %d servers are listed", path, n)
		}
	})
}

// Property 2: "For any valid server script path, if the path ends with ".py"
// the spawn command SHALL be "python" or "python3", and if the path ends with
// ".js" the spawn command SHALL be "node"." And for ".go", "go run".
func TestProperty2Command(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.OneOf(paths(), rapid.StringMatching(`-[a-z]{0,3}`)).Draw(t, "stem") + rapid.SampledFrom(endings[:3]).Draw(t, "ending")
		l, err := client.Command(path)
		if err != nil {
			t.Fatal(err)
		}
		allowed := map[string]string{".py": "python3 python", ".js": "node", ".go": "go"}[path[len(path)-3:]]
		if len(l.Programs) == 0 {
			t.Fatalf("%q: nothing runs it", path)
		}
		for _, p := range l.Programs {
			if !strings.Contains(" "+allowed+" ", " "+p+" ") {
				t.Fatalf("%q is run by %q", path, p)
			}
		}
		if run := len(l.Args) == 2 && l.Args[0] == "run"; run != strings.HasSuffix(path, ".go") || !run && len(l.Args) != 1 {
			t.Fatalf("%q is run with %q", path, l.Args)
		}
		script := l.Args[len(l.Args)-1]
		if strings.HasPrefix(script, "-") {
			t.Fatalf("%q reaches its interpreter as the option %q", path, script)
		}
		if !filepath.IsAbs(script) {
			script = filepath.Join(l.Dir, script)
		}
		if filepath.Clean(script) != filepath.Clean(path) {
			t.Fatalf("%q: %q in %q is another file", path, l.Args, l.Dir)
		}
	})
}

// Property 2, through the host: the interpreter for the extension runs. This also shows that the
// fakes leave their marks, which the test above needs.
func TestProperty2Spawned(t *testing.T) {
	for _, tt := range []struct {
		installed []string
		ending    string
		want      string
	}{
		{[]string{"python3", "python", "node", "go"}, ".py", "python3 %s"},
		{[]string{"python", "node", "go"}, ".py", "python %s"},
		{[]string{"python3", "python", "node", "go"}, ".js", "node %s"},
		{[]string{"python3", "python", "node", "go"}, ".go", "go run ./x.go"},
		{[]string{"node", "go"}, ".py", ""},
		{[]string{"python3", "go"}, ".js", ""},
	} {
		t.Run(tt.want+tt.ending, func(t *testing.T) {
			mark := fakes(t, tt.installed...)
			path := filepath.Join(t.TempDir(), "x"+tt.ending)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			h := newHost(t, client.Options{})
			// In a sandbox a fake leaves no mark, and Go sources are compiled first.
			if _, err := h.Connect(t.Context(), client.Config{Path: path, NoSandbox: true}); err == nil {
				t.Error("a program that does nothing is taken for a server")
			}
			data, _ := os.ReadFile(mark)
			ran, _, _ := strings.Cut(string(data), "\n")
			if want := strings.ReplaceAll(tt.want, "%s", path); ran != want {
				t.Errorf("ran %q, want %q", ran, want)
			}
		})
	}
}

// fakes creates programs that record that they ran, and sets PATH to them.
func fakes(t *testing.T, names ...string) (mark string) {
	t.Helper()
	dir := t.TempDir()
	mark = filepath.Join(t.TempDir(), "mark")
	for _, name := range names {
		script := "#!/bin/sh\necho \"" + name + " $*\" >> '" + mark + "'\n"
		if err := proctest.WriteProgram(filepath.Join(dir, name), []byte(script)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return mark
}
