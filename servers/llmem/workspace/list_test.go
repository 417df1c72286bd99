package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A folder that another program replaces by a link shows no names from outside. This holds for the
// root and for folders in it. No answer contains facts about a foreign file.
func TestASwappedLinkListsNoForeignNames(t *testing.T) {
	base := t.TempDir()
	dir, outside := filepath.Join(base, "project"), filepath.Join(base, "outside")
	for i := range 40 {
		for _, f := range []string{filepath.Join(dir, "sub", fmt.Sprint("own", i, ".go")), filepath.Join(outside, fmt.Sprint("foreign", i, ".go")), filepath.Join(outside, fmt.Sprint("own", i, ".go"))} {
			if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
				t.Fatal(err)
			}
			text := "package own\n"
			if strings.HasPrefix(f, outside) {
				text = "package foreign, which is longer\n"
			}
			if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	look := func() {
		t.Helper()
		files, _, err := w.Files(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(f.Path, "foreign") || f.Size != int64(len("package own\n")) {
				t.Fatalf("listed %+v", f)
			}
		}
	}
	look()
	sub, kept := filepath.Join(dir, "sub"), filepath.Join(base, "kept")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if os.Rename(sub, kept) == nil {
				_ = os.Symlink(outside, sub)
				_ = os.Remove(sub)
				_ = os.Rename(kept, sub)
			}
		}
	})
	for range 2000 {
		look()
	}
	close(stop)
	wg.Wait()
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Skip(err) // Windows does not release an open folder
	}
	if err := os.Symlink(outside, dir); err != nil {
		t.Fatal(err)
	}
	look()
}

// An entry changes with the file, even if a program restores the file's old time and keeps its size.
func TestAnEntryChangesWithTheFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.go")
	if err := os.WriteFile(name, []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	entry := func() Entry {
		files, _, err := w.Files(t.Context())
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		return files[0]
	}
	first := entry()
	if first.Changed == 0 {
		t.Skip("this system does not say when a file changed")
	}
	if again := entry(); again != first {
		t.Errorf("an unchanged file has %+v after %+v", again, first)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := first
	for range 1000 { // the clock of the file system has a limited resolution
		if err := os.WriteFile(name, []byte("package b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		if changed = entry(); changed != first {
			break
		}
	}
	if changed.ModTime != first.ModTime || changed.Size != first.Size || changed.Changed == first.Changed {
		t.Errorf("the changed file has %+v after %+v", changed, first)
	}
}

// A file whose name contains a backslash was listed but could not be opened. Only Windows uses the
// backslash as a separator.
func TestAFileWithABackslashIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name has a backslash")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, `a\b.go`), []byte("package a"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	files, _, err := w.Files(t.Context())
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	name, err := w.Clean(files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if data, _, err := w.Read(name, 100); err != nil || string(data) != "package a" {
		t.Errorf("%s has %q, %v", name, data, err)
	}
}
