package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A watcher watches only the folders of the current scripts, even after a server gets a script in
// another folder. It kept the old folder until the program exited.
func TestWatcherReleasesTheFolderOfAFormerScript(t *testing.T) {
	w, err := NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, dir := range []string{t.TempDir(), t.TempDir()} {
		w.Follow(map[string]Source{"dice": {Dir: dir, File: "dice.js"}})
		if got := w.files.WatchList(); !slices.Equal(got, []string{dir}) {
			t.Errorf("it watches %q, want %q", got, dir)
		}
	}
	w.Follow(nil)
	if got := w.files.WatchList(); len(got) > 0 {
		t.Errorf("it watches %q for no script", got)
	}
}

// A build that removes its folder and makes it again, or puts a new folder in its place, restarts the
// server each time. The watch ended with the old folder.
func TestWatcherFollowsAReplacedFolder(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, w *Watcher, dist, text string){
		"removed": func(t *testing.T, w *Watcher, dist, text string) {
			if err := os.RemoveAll(dist); err != nil {
				t.Fatal(err)
			}
			for due := time.Now().Add(2 * quietTime); time.Now().Before(due); { // the compiler needs longer than quietTime
				if ids := wait(t, w, 2*quietTime); len(ids) > 0 {
					t.Fatalf("%q changed without a file", ids)
				}
			}
			build(t, dist, text)
		},
		"replaced": func(t *testing.T, w *Watcher, dist, text string) {
			build(t, dist+"-new", text)
			if err := os.Rename(dist, filepath.Join(t.TempDir(), "old")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(dist+"-new", dist); err != nil {
				t.Fatal(err)
			}
		},
		"missing at first": func(t *testing.T, w *Watcher, dist, text string) {
			if err := os.RemoveAll(dist); err != nil {
				t.Fatal(err)
			}
			w.Follow(nil)
			w.Follow(map[string]Source{"dice": {Dir: dist, File: "index.js"}})
			build(t, dist, text)
		},
	}
	for name, replace := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := NewWatcher()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			dist := filepath.Join(t.TempDir(), "dist")
			build(t, dist, "first")
			w.Follow(map[string]Source{"dice": {Dir: dist, File: "index.js"}})
			for i := range 2 {
				replace(t, w, dist, fmt.Sprint("text ", i))
				for due := time.Now().Add(10 * time.Second); len(wait(t, w, time.Second)) == 0; {
					if time.Now().After(due) {
						t.Fatalf("it misses build %d", i)
					}
				}
			}
		})
	}
}

// wait waits for one event, no longer than limit, and returns the servers whose sources changed.
func wait(t *testing.T, w *Watcher, limit time.Duration) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ids, _ := w.Wait(ctx, nil)
	return ids
}

// build writes a program into a new folder.
func build(t *testing.T, dist, text string) {
	t.Helper()
	if err := os.MkdirAll(dist, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dist, "index.js"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
