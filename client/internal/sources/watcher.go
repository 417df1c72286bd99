// Package sources knows the files of this computer that a server runs: it finds the Go files of
// a program and watches all files for changes. It must not know of servers: a [Watcher] has their
// ids alone.
package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietTime is how long a script must not change before its server restarts: editors
// write in several steps.
const quietTime = 300 * time.Millisecond

// A Source is what a server runs: a file, or the Go files of a folder.
type Source struct {
	Dir  string
	File string // empty: all Go files of Dir
}

// A Watcher tells which sources change. It belongs to one goroutine. Use [NewWatcher] to make one.
type Watcher struct {
	files   *fsnotify.Watcher
	watched map[string]*watched // by the ids of their servers
	due     *time.Timer         // for the sources that changed last
}

// A watched source has the state of its files when its server last started.
type watched struct {
	Source
	stamp   string
	changed bool // since its last start
}

// NewWatcher returns a watcher of nothing. The user of it calls [Watcher.Close].
func NewWatcher() (*Watcher, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &Watcher{files: files, watched: make(map[string]*watched), due: time.NewTimer(time.Hour)}, nil
}

// Close stops watching.
func (w *Watcher) Close() {
	w.due.Stop()
	_ = w.files.Close()
}

// Follow watches these sources, by the ids of their servers, and no others.
func (w *Watcher) Follow(wanted map[string]Source) {
	for id, s := range w.watched {
		if now, ok := wanted[id]; !ok || now != s.Source {
			delete(w.watched, id)
			w.release(s.Dir)
		}
	}
	for id, s := range wanted {
		if w.watched[id] == nil && w.files.Add(s.Dir) == nil {
			w.watched[id] = &watched{Source: s, stamp: s.stamp()}
		}
	}
}

// release stops watching a folder that no source needs.
func (w *Watcher) release(dir string) {
	for _, s := range w.watched {
		if s.Dir == dir {
			return
		}
	}
	_ = w.files.Remove(dir) // it may be gone
}

// Wait waits for a change, for listed to close, or for the end of ctx, which it reports by ok. It
// returns the ids of the servers whose sources have changed and are quiet now: often none.
func (w *Watcher) Wait(ctx context.Context, listed <-chan struct{}) (ids []string, ok bool) {
	select {
	case <-ctx.Done():
		return nil, false
	case <-listed:
	case e, ok := <-w.files.Events:
		if !ok {
			return nil, false
		}
		w.note(e.Name)
	case <-w.files.Errors: // lost events; the next change counts
	case <-w.due.C:
		return w.changed(), true
	}
	return nil, true
}

// note marks the sources that a change of a file concerns.
func (w *Watcher) note(path string) {
	for _, s := range w.watched {
		if filepath.Dir(path) == s.Dir && (s.File == filepath.Base(path) || s.File == "" && filepath.Ext(path) == ".go") {
			s.changed = true
			w.due.Reset(quietTime)
		}
	}
}

// changed takes the ids of the servers whose sources have changed.
func (w *Watcher) changed() (ids []string) {
	for id, s := range w.watched {
		if !s.changed {
			continue
		}
		s.changed = false
		stamp := s.Source.stamp()
		if stamp == "" || stamp == s.stamp { // it is being replaced, or is as before
			continue
		}
		s.stamp = stamp
		ids = append(ids, id)
	}
	return ids
}

// stamp tells apart the states of a source: by sizes and times. Empty: it does not
// exist, or has no content yet.
func (s Source) stamp() string {
	names := []string{s.File}
	if s.File == "" {
		names, _ = filepath.Glob(filepath.Join(s.Dir, "*.go"))
		for i, name := range names {
			names[i] = filepath.Base(name)
		}
	}
	stamp := ""
	for _, name := range names {
		info, err := os.Stat(filepath.Join(s.Dir, name))
		if err != nil || info.Size() == 0 {
			return ""
		}
		stamp += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return stamp
}
