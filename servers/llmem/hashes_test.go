package llmem

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A folder's summary becomes outdated when the content of a file differs, and only then. touch, a
// checkout and a clone give files new times, and a careless program can keep an old time for new
// content.
func TestFoldersGetOldByContent(t *testing.T) {
	b := start(t, project())
	stale := func(b *bench) string {
		t.Helper()
		have := ""
		for _, l := range b.ok("list_artifacts", nil).Data.Artifacts {
			have += fmt.Sprint(l.SourcePath, "=", l.Stale, " ")
		}
		for _, p := range []string{"store", "."} {
			for _, s := range b.ok("get_artifact", map[string]any{"path": p}).texts(t) {
				have += fmt.Sprint(p, "=", s.Stale, " ")
			}
		}
		return have
	}
	const current, old, root = "main.go=false store=false .=false store=false .=false ", "main.go=false store=true .=true store=true .=true ", "main.go=true store=false .=true store=false .=true "
	for _, p := range []string{"store", ".", "main.go"} {
		b.ok("store_llm_result", map[string]any{"path": p, "task": "summarize", "result": "A summary."})
	}
	same := func(what, want string) {
		t.Helper()
		for range 2 {
			if have := stale(b); have != want {
				t.Fatalf("%s: %s, want %s", what, have, want)
			}
		}
	}
	same("at first", current)
	for i := range 3 { // touch
		later := time.Now().Add(time.Duration(i-1) * time.Hour)
		for _, f := range []string{"store/queue.go", "main.go"} {
			if err := os.Chtimes(filepath.Join(b.dir, f), later, later); err != nil {
				t.Fatal(err)
			}
		}
		same("touched", current)
	}
	for _, f := range []string{"store/queue.go", "main.go"} { // a checkout of another branch, and back
		if err := os.Remove(filepath.Join(b.dir, f)); err != nil {
			t.Fatal(err)
		}
	}
	b.write("store/queue.go", queueGo)
	b.write("main.go", mainGo)
	same("checked out", current)
	clone := start(t, nil)
	if err := os.CopyFS(clone.dir, os.DirFS(b.dir)); err != nil {
		t.Fatal(err)
	}
	if have := stale(clone); have != current {
		t.Errorf("a clone has %s", have)
	}
	// The size and the time stay the same, both immediately and later.
	for i, test := range []struct{ file, text, want string }{
		{"store/queue.go", "> 12", old}, {"store/queue.go", "> 10", current}, {"store/queue.go", "> 13", old}, {"store/queue.go", "> 10", current}, {"main.go", "q.Add(2)", root},
	} {
		name := filepath.Join(b.dir, test.file)
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		b.write(test.file, changedTo(test.text))
		if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		same(fmt.Sprint("change ", i), test.want)
	}
}

// changedTo returns the source with text in place of an expression of the same length.
func changedTo(text string) string {
	if strings.HasPrefix(text, ">") {
		return strings.Replace(queueGo, "> 10", text, 1)
	}
	return strings.Replace(mainGo, "q.Add(1)", text, 1)
}
