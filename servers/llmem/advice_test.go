package llmem

import (
	"fmt"
	"strings"
	"testing"
)

// An error contains advice, and following it works.
func TestErrorsOfArtifactsSayWhatToDo(t *testing.T) {
	long := strings.Repeat("x", 200)
	var many strings.Builder
	many.WriteString("package many\n")
	for i := range 1700 {
		fmt.Fprintf(&many, "// %s\nfunc f%d(a%s int) {}\n", long+long[:110], i, long)
	}
	b := start(t, map[string]string{"docs/a.md": "# A\n", "docs/a.png": "\x89PNG\x00", "src/a.go": "package a\n\nfunc a() {}\n", "src/many.go": many.String()})
	b.ok("store_llm_result", map[string]any{"path": "src/a.go", "task": "annotate", "result": "- `a`: Nothing."})
	for _, tt := range []struct {
		tool      string
		args      map[string]any
		err, next string
	}{
		{"get_artifact", map[string]any{"path": "src/a.go", "type": "summarize"}, "src/a.go has no artifact of the type summarize", "It has annotate. Call get_artifact without a type"},
		{"get_artifact", map[string]any{"path": "docs/a.md", "type": "summarize"}, "docs/a.md has no artifact of the type summarize", "Nothing is stored about it."},
		{"delete_artifact", map[string]any{"path": "src/a.go", "type": "x"}, "src/a.go has no artifact of the type x", "It has annotate."},
		{"delete_artifact", map[string]any{"path": "src"}, "nothing was deleted: no artifact of src itself matches; artifacts below it that match: 1", "recursive: true"},
		{"generate_artifact", map[string]any{"path": "src/many.go", "task": "parse"}, "the outline of src/many.go is too large to store", "Call get_artifact"},
		{"generate_prompt", map[string]any{"path": "docs/a.png", "task": "summarize"}, "docs/a.png: the file is not text", "a text file"},
		{"generate_artifact", map[string]any{"path": "docs", "task": "summarize"}, "docs has no source files with an outline", "Call map_workspace"},
		{"generate_prompt", map[string]any{"path": "docs", "task": "summarize"}, "docs has no source files with an outline", "Call map_workspace"},
	} {
		if a := b.call(tt.tool, tt.args); a.Error != tt.err || !strings.Contains(a.NextAction, tt.next) {
			t.Errorf("%s %v: %q, then %q", tt.tool, tt.args, a.Error, a.NextAction)
		}
	}
	if a := b.ok("get_artifact", map[string]any{"path": "docs"}); a.NextAction != "" { // a summary of it is refused
		t.Errorf("a folder without sources: %q", a.NextAction)
	}
	if a := b.ok("get_artifact", map[string]any{"path": "docs/a.png"}); a.NextAction != "The file is not text." || a.Data.Lines != 0 {
		t.Errorf("a picture: %d lines, %q", a.Data.Lines, a.NextAction)
	}
	if a := b.ok("get_artifact", map[string]any{"path": "src/many.go"}); !strings.Contains(a.NextAction, "Call find_symbol") {
		t.Errorf("a file with many symbols: %q", a.NextAction)
	}
	if a := b.ok("delete_artifact", map[string]any{"path": "src", "recursive": true}); fmt.Sprint(a.Data.Deleted) != "[.artifacts/src/a.go.annotate.md]" {
		t.Errorf("deleted %v", a.Data.Deleted)
	}
}

// An artifact that the task parse stored can be found by its name. The outline of a file can be
// found even before that.
func TestParseNamesTheOutline(t *testing.T) {
	b := start(t, map[string]string{"a.go": "package a\n\nfunc a() {}\n"})
	for range 2 {
		for _, kind := range []string{"parse", "mirror"} {
			if a := b.ok("get_artifact", map[string]any{"path": "a.go", "type": kind}); len(a.Data.Symbols) != 1 {
				t.Errorf("%s: %+v", kind, a.Data)
			}
		}
		b.ok("generate_artifact", map[string]any{"path": "a.go", "task": "parse"})
	}
	if a := b.ok("list_artifacts", map[string]any{"type": "parse"}); len(a.Data.Artifacts) != 1 {
		t.Errorf("listed %v", a.Data.Artifacts)
	}
}

// The answer after deleting thousands of artifacts is short.
func TestADeletionListsAFew(t *testing.T) {
	files := make(map[string]string)
	for i := range maxDeleted + 7 {
		files[fmt.Sprintf("a%03d.go", i)] = "package a\n\nfunc a() {}\n"
	}
	b := start(t, files)
	for range 2 { // MaxParsed
		b.ok("generate_artifact", map[string]any{"path": ".", "task": "parse"})
	}
	if a := b.ok("delete_artifact", map[string]any{"path": ".", "recursive": true}); len(a.Data.Deleted) != maxDeleted || a.Data.MoreDeleted != 7 {
		t.Errorf("%d listed, %d more", len(a.Data.Deleted), a.Data.MoreDeleted)
	}
}
