// Package filewatch tells of changes of files. While nothing changes it costs nothing: the
// system watches them. It must not know what the files hold.
package filewatch

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settle = 300 * time.Millisecond // programs write several times in a row
	late   = 3 * settle             // a program that never pauses is noticed, too
	poll   = 2 * time.Second        // between two looks at files that the system cannot watch
	share  = 20                     // what follows a change takes at most this fraction of the time
)

// Changes yields after each change of the files of one folder, until ctx ends. Changes in quick
// succession count as one. If a loop's body takes long, it runs seldom.
func Changes(ctx context.Context, files ...string) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		changed, stop := watch(files)
		defer stop()
		for changed(ctx) {
			began := time.Now()
			if !yield(struct{}{}) {
				return
			}
			if took := share * time.Since(began); took > settle && !pause(ctx, took) {
				return
			}
		}
	}
}

// watch returns a function that waits for a change; it reports false when ctx ended. The caller
// calls stop in the end.
func watch(files []string) (changed func(context.Context) bool, stop func()) {
	w, err := fsnotify.NewWatcher()
	if err == nil {
		if err = w.Add(filepath.Dir(files[0])); err == nil { // the folder: a program may replace a file
			return func(ctx context.Context) bool { return heard(ctx, w, files) }, func() { _ = w.Close() }
		}
		_ = w.Close()
	}
	last := state(files)
	return func(ctx context.Context) bool {
		for pause(ctx, poll) {
			if now := state(files); now != last {
				last = now
				return true
			}
		}
		return false
	}, func() {}
}

// heard waits for an event of the files, and until none came for a moment.
func heard(ctx context.Context, w *fsnotify.Watcher, files []string) bool {
	var quiet, enough <-chan time.Time
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return false
			}
			if !slices.Contains(files, e.Name) {
				continue
			}
		case _, ok := <-w.Errors: // events are lost
			if !ok {
				return false
			}
		case <-quiet:
			return true
		case <-enough:
			return true
		case <-ctx.Done():
			return false
		}
		quiet = time.After(settle)
		if enough == nil {
			enough = time.After(late)
		}
	}
}

// state tells two states of files apart.
func state(files []string) string {
	var b strings.Builder
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprint(&b, info.Size(), info.ModTime().UnixNano())
		}
		b.WriteByte(';')
	}
	return b.String()
}

// pause waits, and reports false if ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
