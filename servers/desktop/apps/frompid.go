package apps

import (
	"context"
	"sync"
)

// FromPID returns a program that another process started. ended waits for its end or for
// ctx and says how it ended, and below reports whether it started another process, directly
// or through others. Call Forget, which ends ended.
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

// Started reports whether the program is a process or started it, directly or through others.
func (p *Process) Started(pid int) bool {
	if pid == p.PID {
		return true
	}
	if p.below != nil {
		return pid > 1 && p.below(pid)
	}
	return Below(pid, p.PID)
}
