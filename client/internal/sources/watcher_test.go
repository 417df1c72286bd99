package sources

import (
	"slices"
	"testing"
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
