// Package filewatch reports changes of files. The system watches the files, so this costs nothing
// while nothing changes. It must not know the contents of the files.
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
	settle = 300 * time.Millisecond // programs often write several times in a row
	late   = 3 * settle             // limit for programs that never pause
	poll   = 2 * time.Second        // interval between checks of files that the system cannot watch
	share  = 20                     // Changes pauses this many times as long as the handling of a change took
)

// Changes yields after each change of the files, which must be in one folder, until ctx ends.
// Changes in quick succession count as one. If the loop's body takes long, Changes yields less
// often.
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

// watch returns a function that waits for a change. That function returns false when ctx has ended.
// The caller must call stop.
func watch(files []string) (changed func(context.Context) bool, stop func()) {
	w, err := fsnotify.NewWatcher()
	if err == nil {
		if err = w.Add(filepath.Dir(files[0])); err == nil { // watch the folder, because a program may replace a file
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

// heard waits for an event of the files, and then until there are no more events for a moment.
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
		case _, ok := <-w.Errors: // events were lost
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

// state returns a text that differs for different states of the files.
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

// pause waits for d. It returns false if ctx ended.
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
