package llmem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A renamed file keeps its summary as long as its content is the same. A copy does not get it.
func TestARenamedFileKeepsItsSummary(t *testing.T) {
	b := start(t, map[string]string{"old.go": "package a\n\nfunc A() {}\n", "empty.go": ""})
	for _, path := range []string{"old.go", "empty.go"} {
		b.ok("store_llm_result", map[string]any{"path": path, "task": "summarize", "result": "It has A in line 3."})
	}
	b.write("copy.go", "package a\n\nfunc A() {}\n")
	if a := b.ok("get_artifact", map[string]any{"path": "copy.go"}); len(a.Data.Stored) != 0 {
		t.Errorf("a copy has %s", a.Data.Stored)
	}
	for from, to := range map[string]string{"old.go": "sub/new.go", "empty.go": "void.go"} {
		if err := os.MkdirAll(filepath.Join(b.dir, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(b.dir, from), filepath.Join(b.dir, filepath.FromSlash(to))); err != nil {
			t.Fatal(err)
		}
	}
	a := b.ok("get_artifact", map[string]any{"path": "sub/new.go"})
	if texts := a.texts(t); len(texts) != 1 || texts[0].Stale || texts[0].Content != "It has A in line 3." || !strings.Contains(a.NextAction, "about old.go, which no longer exists") {
		t.Errorf("%s, %q", a.Data.Stored, a.NextAction)
	}
	if a := b.ok("get_artifact", map[string]any{"path": "void.go"}); len(a.Data.Stored) != 0 {
		t.Errorf("an empty file has %s", a.Data.Stored)
	}
	b.write("sub/new.go", "package a\n\nfunc B() {}\n")
	if a := b.ok("get_artifact", map[string]any{"path": "sub/new.go"}); len(a.Data.Stored) != 0 || a.NextAction != "" {
		t.Errorf("a file that changed has %s, %q", a.Data.Stored, a.NextAction)
	}
}

// If a type was given, a renamed file had no artifact, and the error for a missing path concerned
// the type.
func TestARenamedFileKeepsItsSummaryByType(t *testing.T) {
	b := start(t, map[string]string{"old.go": "package a\n\nfunc A() {}\n"})
	b.ok("store_llm_result", map[string]any{"path": "old.go", "task": "summarize", "result": "It has A."})
	if err := os.Rename(filepath.Join(b.dir, "old.go"), filepath.Join(b.dir, "new.go")); err != nil {
		t.Fatal(err)
	}
	a := b.ok("get_artifact", map[string]any{"path": "new.go", "type": "summarize"})
	if texts := a.texts(t); len(texts) != 1 || texts[0].Content != "It has A." || !strings.Contains(a.NextAction, "about old.go, which no longer exists") {
		t.Errorf("%s, %q", a.Data.Stored, a.NextAction)
	}
	if a := b.call("get_artifact", map[string]any{"path": "new.go", "type": "annotate"}); a.Reason != "not_found" || !strings.Contains(a.NextAction, "It has summarize.") {
		t.Errorf("another type: %q, %q", a.Error, a.NextAction)
	}
	if a := b.ok("get_artifact", map[string]any{"path": "new.go", "type": "mirror"}); len(a.Data.Symbols) != 1 || len(a.Data.Stored) != 0 || a.NextAction != "" {
		t.Errorf("the outline: %+v", a)
	}
	if a := b.call("get_artifact", map[string]any{"path": "missing.go", "type": "summarize"}); !strings.HasPrefix(a.Error, "artifact not found for path: missing.go") {
		t.Errorf("a path that is not there: %q", a.Error)
	}
	if texts := b.ok("get_artifact", map[string]any{"path": "old.go", "type": "summarize"}).texts(t); len(texts) != 1 {
		t.Errorf("the old path has %v", texts)
	}
	if a := b.call("get_artifact", map[string]any{"path": "old.go", "type": "mirror"}); a.Reason != "not_found" || !strings.Contains(a.NextAction, "It has summarize.") {
		t.Errorf("the outline of a file that is gone: %+v", a)
	}
}
