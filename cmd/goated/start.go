//go:build !headless

package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"goated/internal/trim"
)

// A start is the time until the window is shown. Work that the window does not need
// waits for its end.
type start struct {
	over chan struct{} // closed when the window is shown
}

// GOGC during the start, in percent. Collecting takes a sixth of a start, and
// nearly everything allocated then stays. settle frees the rest after a quiet time.
const (
	hurriedGC = 400
	quiet     = 2 * time.Second
)

func newStart() *start {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(hurriedGC)
	}
	return &start{over: make(chan struct{})}
}

// end ends the start: the window is shown. Call it once.
func (s *start) end() { close(s.over) }

// wait waits for the end of the start. It returns false if ctx ends first.
func (s *start) wait(ctx context.Context) bool {
	select {
	case <-s.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// settle returns the start's memory to the system after a quiet time.
func (s *start) settle(ctx context.Context) {
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
