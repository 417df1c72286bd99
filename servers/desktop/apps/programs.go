package apps

import (
	"sync"
	"time"
)

// Programs holds the programs that were started on a hidden desktop. They end with the desktop,
// because they would be invisible afterwards. The zero value is ready to use. It is safe for
// concurrent use.
type Programs struct {
	mu      sync.Mutex
	started []*Process
	closed  bool
}

// Start is like the function [Start], but the program ends at Close.
func (l *Programs) Start(args, env []string, dir string) (*Process, error) {
	p, err := Start(args, env, dir)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	if !l.closed {
		l.started = append(l.started, p)
		l.mu.Unlock()
		return p, nil
	}
	l.mu.Unlock()
	end([]*Process{p})
	return p, nil
}

// Close asks the programs and their descendants to end, kills those that keep running, and waits
// until none is left.
func (l *Programs) Close() {
	l.mu.Lock()
	started := l.started
	l.started, l.closed = nil, true
	l.mu.Unlock()
	end(started)
}

const (
	// exitGrace is how long a program may take to save its state before it is killed.
	exitGrace = 2 * time.Second
	// killWait is how long the system may take to end killed programs.
	killWait = 2 * time.Second
	// look is the time between two checks.
	look = 5 * time.Millisecond
)

func end(started []*Process) {
	sessions := make(map[int]bool)
	for _, p := range started {
		select {
		case <-p.Done:
			if Running(p.PID) { // its PID belongs to another process now
				continue
			}
		default:
		}
		sessions[p.PID] = true
	}
	if len(sessions) == 0 {
		return
	}
	if left := members(sessions); len(left) > 0 {
		terminate(left)
		if wait(sessions, exitGrace) {
			return
		}
	}
	for limit := time.Now().Add(killWait); time.Now().Before(limit); {
		kill(members(sessions)) // repeatedly, because a program may have started another one in the meantime
		if wait(sessions, 10*look) {
			return
		}
	}
}

// wait waits until the sessions have no processes, and reports whether that happened before the
// limit.
func wait(sessions map[int]bool, limit time.Duration) bool {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for until := time.Now().Add(limit); len(members(sessions)) > 0; <-tick.C {
		if time.Now().After(until) {
			return false
		}
	}
	return true
}
