//go:build !headless

package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"goated/internal/trim"
)

// A startup is the time until the window is shown. Work that the window does not need
// waits for its end.
type startup struct {
	over chan struct{} // closed when the window is shown
}

// GOGC during the start, in percent. Collecting takes a sixth of a start, and
// nearly everything allocated then stays. settle frees the rest after a quiet time.
const (
	hurriedGC = 400
	quiet     = 2 * time.Second
)

func newStartup() *startup {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(hurriedGC)
	}
	return &startup{over: make(chan struct{})}
}

// end ends the start: the window is shown. Call it once.
func (s *startup) end() { close(s.over) }

// wait waits for the end of the start. It returns false if ctx ends first.
func (s *startup) wait(ctx context.Context) bool {
	select {
	case <-s.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// settle returns the start's memory to the system after a quiet time.
func (s *startup) settle(ctx context.Context) {
	if !s.wait(ctx) {
		return
	}
	select {
	case <-time.After(quiet):
	case <-ctx.Done():
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
	trim.Memory()
}
