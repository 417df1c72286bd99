// Package sources finds the Go files of a program that a server runs, and watches the files of
// servers for changes. It must not know servers: a [Watcher] only has their ids.
package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietTime is how long a script must stay unchanged before its server restarts, because editors
// write in several steps.
const quietTime = 300 * time.Millisecond

// missingTime is how long the watcher waits before it looks again for a folder that was removed.
const missingTime = time.Second

// A Source is what a server runs: a file, or the Go files of a folder.
type Source struct {
	Dir  string
	File string // empty means all Go files in Dir
}

// A Watcher reports which sources change. Only one goroutine may use it. Create it with [NewWatcher].
type Watcher struct {
	files   *fsnotify.Watcher
	watched map[string]*watched // by server id
	due     *time.Timer         // fires when the sources that changed last are quiet
}

// A watched source has the state of its files at the last start of its server.
type watched struct {
	Source
	stamp   string
	changed bool // since its last start, or its folder is missing
}

// NewWatcher returns a watcher that watches nothing. The caller must call [Watcher.Close].
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

// Follow watches these sources, by server id, and stops watching all others.
func (w *Watcher) Follow(wanted map[string]Source) {
	for id, s := range w.watched {
		if now, ok := wanted[id]; !ok || now != s.Source {
			delete(w.watched, id)
			w.release(s.Dir)
		}
	}
	for id, s := range wanted {
		if w.watched[id] != nil {
			continue
		}
		err := w.files.Add(s.Dir)
		missing := errors.Is(err, fs.ErrNotExist)
		if err == nil || missing {
			w.watched[id] = &watched{Source: s, stamp: s.stamp(), changed: missing}
		}
		if missing {
			w.due.Reset(missingTime)
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
	_ = w.files.Remove(dir) // the folder may be gone
}

// Wait waits until a source changes, listed closes, or ctx ends. ok is false if ctx ended. ids are
// the servers whose sources have changed and are quiet now. It is often empty.
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
	case <-w.files.Errors: // goated lost events; it notices the next change
	case <-w.due.C:
		return w.changed(), true
	}
	return nil, true
}

// note marks the sources to which a changed file belongs. A folder that was removed or replaced is a
// change, too: the system then watches it no longer.
func (w *Watcher) note(path string) {
	for _, s := range w.watched {
		if path == s.Dir || filepath.Dir(path) == s.Dir && (s.File == filepath.Base(path) || s.File == "" && filepath.Ext(path) == ".go") {
			s.changed = true
			w.due.Reset(quietTime)
		}
	}
}

// changed returns and resets the ids of the servers whose sources have changed. It watches their folders
// again, in case they were replaced, before it reads their state, so that it misses no change.
func (w *Watcher) changed() (ids []string) {
	for id, s := range w.watched {
		if !s.changed {
			continue
		}
		if err := w.files.Add(s.Dir); err != nil {
			w.due.Reset(missingTime) // a build removes the folder before it makes it again
			continue
		}
		s.changed = false
		stamp := s.Source.stamp()
		if stamp == "" || stamp == s.stamp { // the source is being replaced, or is the same as before
			continue
		}
		s.stamp = stamp
		ids = append(ids, id)
	}
	return ids
}

// stamp identifies the state of a source by file sizes and times. It is empty if the source does
// not exist or has no content yet.
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
