package llmem

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/servertest"
	"goated/servers/llmem/browse"
)

// A program browses a workspace: its tree, a file, its imports, and a summary that becomes outdated
// when the file changes.
func TestBrowse(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/trip\n")
	write("README.md", "# Trip\n")
	write("store/queue.go", "package store\n\n// Queue waits.\ntype Queue struct{}\n\n// Add adds.\nfunc (q *Queue) Add(n int) {}\n\n// Next is next.\nfunc (q *Queue) Next() int { return 0 }\n")
	write("sync/send.go", "package sync\n\nimport \"example.com/trip/store\"\n\nvar _ store.Queue\n")
	w, err := Browse(Options{Root: dir, Data: servertest.LLMemData(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	tree := func() browse.Tree {
		t.Helper()
		tr, err := w.Tree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	found := func(words ...string) (s string) {
		t.Helper()
		var list []browse.Place
		for complete := false; !complete; {
			if list, complete, err = w.Symbols(t.Context(), words, 2); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range list {
			s += fmt.Sprintf("%s %s.%s %s:%d; ", p.Kind, p.Parent, p.Name, p.Path, p.Line)
		}
		return s
	}
	for words, want := range map[string]string{
		"add": "method Queue.Add store/queue.go:7; ", "QUEUE": "struct .Queue store/queue.go:4; method Queue.Add store/queue.go:7; ", "queue next": "method Queue.Next store/queue.go:10; ",
		"queue.next": "method Queue.Next store/queue.go:10; ", "nothing": "", "": "",
	} {
		if have := found(strings.Fields(words)...); have != want {
			t.Errorf("%q finds %s, want %s", words, have, want)
		}
	}
	shape := func() (s string) {
		for _, n := range tree().Nodes {
			s += fmt.Sprintf("%s %d/%d; ", n.Path, n.State, n.Own)
		}
		return s
	}
	if got := shape(); got != "store 1/1; store/queue.go 1/1; sync 1/1; sync/send.go 1/1; go.mod 0/0; README.md 0/0; " {
		t.Errorf("the tree is %s", got)
	}
	if tr := tree(); tr.Files != 4 || strings.Join(tr.Missing, " ") != "store/queue.go sync/send.go store sync" {
		t.Errorf("%+v", tr)
	}
	p, err := w.Prompt(t.Context(), "store/queue.go")
	if err != nil || p.Tokens < 100 || !strings.Contains(p.Text, "type Queue struct") {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := w.Store(t.Context(), p, browse.Answer{Text: "A queue. `Next` is at line 10.", Model: "gemini-x"}); err != nil {
		t.Fatal(err)
	}
	if folder, err := w.Prompt(t.Context(), "store"); err != nil || w.Store(t.Context(), folder, browse.Answer{Text: "All of the store."}) != nil {
		t.Fatalf("%+v, %v", folder, err)
	}
	if got := shape(); !strings.HasPrefix(got, "store 0/0; store/queue.go 0/0; sync 1/1; ") {
		t.Errorf("the tree is %s", got)
	}
	f, err := w.File(t.Context(), "store/queue.go")
	if err != nil || f.Language != "go" || len(f.Symbols) != 3 || f.Summary == nil || f.Summary.Stale || f.Summary.Model != "gemini-x" || f.Symbols[1].Name != "Add" || f.Symbols[1].Start != 7 || !slices.Equal(f.UsedBy, []string{"sync/send.go"}) {
		t.Errorf("%+v, %v", f, err)
	}
	write("store/queue.go", "package store\n\n// Queue waits.\ntype Queue struct{}\n\n// Add adds.\nfunc (q *Queue) Add(n int) { println(n) }\n\n// Next is next.\nfunc (q *Queue) Next() int { return 0 }\n")
	imports, err := w.Imports(t.Context())
	if err != nil || imports.Pending != 0 || fmt.Sprint(imports.Links) != "[{sync/send.go store/queue.go}]" {
		t.Errorf("%+v, %v", imports, err)
	}
	f, err = w.File(t.Context(), "store/queue.go")
	if err != nil || f.Summary == nil || !f.Summary.Stale || !slices.Equal(f.Summary.Changed, []string{"Queue.Add"}) || !f.Symbols[1].Changed || f.Symbols[2].Changed || strings.Contains(f.Summary.Content, "line 10") {
		t.Errorf("%+v %+v, %v", f.Summary, f.Symbols, err)
	}
	if tr := tree(); strings.Join(tr.Outdated, " ") != "store/queue.go store" {
		t.Errorf("%+v", tr)
	}
	if f, err = w.File(t.Context(), "sync/send.go"); err != nil || !slices.Equal(f.Uses, []string{"store/queue.go"}) {
		t.Errorf("%+v, %v", f, err)
	}
	if err := os.Remove(filepath.Join(dir, "sync/send.go")); err != nil {
		t.Fatal(err)
	}
	if _, err = w.File(t.Context(), "sync/send.go"); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("%v", err)
	}
	if _, err := w.File(t.Context(), "../x"); err == nil {
		t.Error("a path leaves the workspace")
	}
	if home, err := os.UserHomeDir(); err == nil {
		if _, err := Browse(Options{Root: home}); err == nil || !strings.Contains(err.Error(), "Choose the folder of a project") {
			t.Errorf("the home folder: %v", err)
		}
	}
}

// A source that is too large, is not text or cannot be read can have no summary. So its summary
// does not count as missing, and neither does that of a folder without other sources.
func TestUnfitSourcesMissNoSummary(t *testing.T) {
	b := start(t, map[string]string{
		"ok.py": "def f(): pass\n", "py/huge.py": "x = 1\n" + strings.Repeat("# x\n", 400_000), "py/nul.py": "d\x00e\x00f\x00", "notes/huge.md": strings.Repeat("text\n", 400_000),
		"bin/x.py": "\x7fELF\x00\x00", "bin/ok.sh": "echo\n",
	})
	w, err := Browse(Options{Root: b.dir, Data: t.TempDir(), Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	missing := func() (string, string) {
		t.Helper()
		tr, err := w.Tree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		unfit := ""
		for _, n := range tr.Nodes {
			if n.Unfit {
				unfit += n.Path + " "
			}
		}
		return strings.Join(append(tr.Missing, tr.Outdated...), " "), unfit
	}
	if got, unfit := missing(); got != "bin/ok.sh ok.py bin" || unfit != "bin/x.py py/huge.py py/nul.py " {
		t.Errorf("missing: %s; unfit: %s", got, unfit)
	}
	for name, want := range map[string]string{
		"py/huge.py": "py/huge.py is too large for a summary: 1.6 MiB, at most 1 MiB",
		"py/nul.py":  "py/nul.py is not text, so no summary is possible",
	} {
		if _, err := w.File(t.Context(), name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := w.Prompt(t.Context(), name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// A file can become text, and a file with a summary can become too large.
	p, err := w.Prompt(t.Context(), "ok.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store(t.Context(), p, browse.Answer{Text: "A summary."}); err != nil {
		t.Fatal(err)
	}
	b.write("py/nul.py", "def f(): pass\n")
	b.write("ok.py", strings.Repeat("# x\n", 400_000))
	if got, unfit := missing(); got != "bin/ok.sh py/nul.py bin py" || unfit != "bin/x.py py/huge.py ok.py " {
		t.Errorf("after changes, missing: %s; unfit: %s", got, unfit)
	}
}
