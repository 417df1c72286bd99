package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goated/servers/llmem/workspace"
)

// The sums of unchanged files are known without reading the files, whether or not they have
// outlines, and even in the next process.
func TestSumsReadOnlyWhatChanged(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	files := map[string]string{"a.go": "package a\n", "notes.txt": "notes", "large.py": "x = 1\n" + string(make([]byte, 2<<20))}
	write(t, dir, files)
	past := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond) // a file that has just changed is read again
	x := open(t, dir, cache)
	ws := x.o.Workspace
	list := func() []workspace.Entry {
		all, _, err := ws.Files(t.Context())
		if err != nil || len(all) != 3 {
			t.Fatalf("%v, %v", all, err)
		}
		return all
	}
	all := list()
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	sums := func(x *Index) string {
		t.Helper()
		s, err := x.Sums(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(s)
	}
	want := fmt.Sprint([]uint64{sumOf([]byte(files["a.go"])), sumOf([]byte(files["large.py"])), sumOf([]byte(files["notes.txt"]))})
	if have := sums(x); have != want {
		t.Fatalf("sums %s, want %s", have, want)
	}
	x.Close()
	for name := range files { // a sum that is known now was not read
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, name+".moved")); err != nil {
			t.Fatal(err)
		}
	}
	if have := sums(x); have != want {
		t.Errorf("unchanged files have the sums %s, want %s", have, want)
	}
	y := open(t, dir, cache)
	if s, err := y.Sums(t.Context(), all[:1]); err != nil || s[0] != sumOf([]byte(files["a.go"])) {
		t.Errorf("the next process has %v, %v", s, err)
	}
}
