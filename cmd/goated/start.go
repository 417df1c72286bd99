//go:build !headless

package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

// A start is the time until the window is there. What is not needed for that
// waits for it to end.
type start struct {
	over chan struct{} // closed when the window is shown
}

// The heap may grow that much until the window is there, in percent: collecting
// takes a sixth of a start, and nearly all of what is there then is kept. What
// is garbage is given back when all is quiet.
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

// end says that the window is shown. Call it once.
func (s *start) end() { close(s.over) }

// wait returns when the start is over, and false if ctx ends before.
func (s *start) wait(ctx context.Context) bool {
	select {
	case <-s.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// settle gives back what the start took, after a while.
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
	debug.FreeOSMemory()
}
