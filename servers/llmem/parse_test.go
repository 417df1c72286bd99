package llmem

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// However many files a flat folder has, their outlines are stored in several calls. Each call
// continues where the previous one stopped. Current outlines are not stored again.
func TestAFlatFolderIsParsedInSomeCalls(t *testing.T) {
	files := map[string]string{"flat/wrong.go": "not Go\x00"}
	for i := range 120 {
		files[fmt.Sprintf("flat/file%d.py", i)] = fmt.Sprintf("def f%d():\n    pass\n", i)
	}
	b := start(t, files)
	parse := func() string {
		t.Helper()
		a := b.ok("generate_artifact", map[string]any{"path": "flat", "task": "parse"})
		if (a.Data.Left > 0) != (a.NextAction != "") {
			t.Errorf("%d left, and then %q", a.Data.Left, a.NextAction)
		}
		return fmt.Sprint(a.Data.Parsed, " ", a.Data.Current, " ", a.Data.Left)
	}
	for i, want := range []string{"50 0 71", "50 50 21", "20 100 0", "0 120 0"} {
		if have := parse(); have != want {
			t.Errorf("call %d: %s, want %s", i, have, want)
		}
	}
	b.write("flat/file7.py", "def changed():\n    pass\n")
	if have := parse(); have != "1 119 0" {
		t.Errorf("after a change: %s", have)
	}
	mirrors, err := filepath.Glob(filepath.Join(b.dir, ".artifacts/flat/*.artifact"))
	if err != nil || len(mirrors) != 120 {
		t.Errorf("%d outlines, %v", len(mirrors), err)
	}
	if list := b.ok("list_artifacts", map[string]any{"type": "mirror", "limit": 1000}).Data; list.Total != 120 {
		t.Errorf("%d records", list.Total)
	}
}

// With focusOn, parsing a folder stores the files that define the names, and the answer names the
// places. Two names of one definition are both found; the second was said to be defined nowhere.
func TestFocusOnInAFolder(t *testing.T) {
	b := start(t, project())
	b.write("web/other.ts", "export function other() { fit(2); }\n")
	a := b.ok("generate_artifact", map[string]any{"path": ".", "task": "parse", "options": map[string]any{"focusOn": []string{"Queue.Add", "fit", "Gone", "Add"}}})
	have := ""
	for _, d := range a.definitions(t) {
		have += fmt.Sprintf("%s %s %d-%d, ", d.Path, d.Name, d.StartLine, d.EndLine)
	}
	if have != "store/queue.go Add 12-18, web/fit.ts fit 2-2, " || fmt.Sprint(a.Data.NotFound) != "[Gone]" || a.Data.Parsed != 2 {
		t.Errorf("found %s, not found %v, %d parsed", have, a.Data.NotFound, a.Data.Parsed)
	}
	for path, want := range map[string]bool{"store/queue.go": true, "web/fit.ts": true, "web/other.ts": false, "main.go": false} {
		if _, err := os.Stat(filepath.Join(b.dir, ".artifacts", path+".artifact")); (err == nil) != want {
			t.Errorf("%s is stored: %v", path, err == nil)
		}
	}
	again := b.ok("generate_artifact", map[string]any{"path": ".", "task": "parse", "options": map[string]any{"focusOn": []string{"fit"}}})
	if len(again.definitions(t)) != 1 || again.Data.Parsed != 0 || again.Data.Current != 1 {
		t.Errorf("again: %+v", again.Data)
	}
}
