package client

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A reloader watches the folders of the present scripts and no others, also after a server
// has got a script in another folder. It kept the old one until the program ended.
func TestReloaderReleasesTheFolderOfAFormerScript(t *testing.T) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	h := New(Options{})
	defer h.Close()
	r := &reloader{host: h, watcher: w, scripts: make(map[string]*watched), due: time.NewTimer(time.Hour)}
	old, now := t.TempDir(), t.TempDir()
	for _, dir := range []string{old, now} {
		s := newServer(h, Config{Path: filepath.Join(dir, "dice.js")})
		s.view.ID = "dice"
		h.list.update(func() { h.list.servers = []*server{s} })
		r.follow()
		if got := w.WatchList(); !slices.Equal(got, []string{dir}) {
			t.Errorf("it watches %q, want %q", got, dir)
		}
	}
	h.list.update(func() { h.list.servers = nil })
	r.follow()
	if got := w.WatchList(); len(got) > 0 {
		t.Errorf("it watches %q for no script", got)
	}
}
