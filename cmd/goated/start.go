//go:build !headless

package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"goated/internal/trim"
)

// A startup is the time until the window is visible. Work that the window does not need waits until
// then.
type startup struct {
	over chan struct{} // closed when the window is visible
}

// hurriedGC is the GOGC value during the start, in percent. Garbage collection takes a sixth of a
// start, and nearly everything that a start allocates stays in use. settle frees the rest after the
// time quiet.
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

// end ends the startup, because the window is visible. It must be called once.
func (s *startup) end() { close(s.over) }

// wait waits for the end of the startup. It returns false if ctx ends first.
func (s *startup) wait(ctx context.Context) bool {
	select {
	case <-s.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// settle returns the memory of the startup to the system after the time quiet.
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
