package codedigest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Changes returns the names of changed files, which explain why an "always" no longer applies.
func TestChangesNameTheFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := func() string {
		script := filepath.Join(dir, "live.py")
		_, names, _, _ := Begin(Program{Script: script, Found: "/usr/bin/python3"}).Code(t.Context())
		return names
	}
	write("live.py", "a = 1\n")
	write("old.py", "b = 1\n")
	was := list()
	write("live.py", "a = 2\n")
	write("live2.py", "a = 1\n")
	if err := os.Remove(filepath.Join(dir, "old.py")); err != nil {
		t.Fatal(err)
	}
	added, changed, removed := Changes(was, list())
	if !slices.Equal(added, []string{"live2.py"}) || !slices.Equal(changed, []string{"live.py"}) || !slices.Equal(removed, []string{"old.py"}) {
		t.Errorf("added %q, changed %q, removed %q", added, changed, removed)
	}
	for n := range maxNames {
		write(fmt.Sprintf("many%d.py", n), "")
	}
	if got := list(); got != "" {
		t.Errorf("too many names are listed: %d bytes", len(got))
	}
	if d := look(Program{Script: filepath.Join(dir, "live.py"), Found: "/usr/bin/python3"}, false, time.Now()); d.names != nil || d.files != maxNames+2 {
		t.Errorf("%d names of %d files are kept, although nobody reads them", len(d.names), d.files)
	}
	if added, changed, removed = Changes("", was); added != nil || changed != nil || removed != nil {
		t.Error("an unknown list has changes")
	}
}
