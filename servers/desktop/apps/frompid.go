package apps

import (
	"context"
	"sync"
)

// FromPID returns a Process for a program that another process started. ended waits until the
// program or ctx ends, and returns how the program ended. below reports whether the program started
// another process, directly or indirectly. The caller must call Forget, which cancels the ctx of
// ended.
func FromPID(pid int, ended func(context.Context) string, below func(pid int) bool) *Process {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	p := &Process{PID: pid, Done: done, below: below}
	var waiting sync.WaitGroup
	waiting.Go(func() {
		how := ended(ctx)
		if ctx.Err() != nil {
			return
		}
		p.mu.Lock()
		p.how = how
		p.mu.Unlock()
		close(done)
	})
	p.forget = func() { cancel(); waiting.Wait() }
	return p
}

// Started reports whether a process is the program or was started by it, directly or indirectly.
func (p *Process) Started(pid int) bool {
	if pid == p.PID {
		return true
	}
	if p.below != nil {
		return pid > 1 && p.below(pid)
	}
	return IsDescendant(pid, p.PID)
}
