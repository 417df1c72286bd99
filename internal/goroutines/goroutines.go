// Package goroutines runs goroutines for an owner that may be closed while others still give it
// work.
package goroutines

import "sync"

// A Group is like a [sync.WaitGroup], but after Close it refuses new goroutines. A WaitGroup does
// not allow a new goroutine to start while another one waits. The zero value is ready. A Group is
// safe for concurrent use.
type Group struct {
	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

// Go runs f in a goroutine. After Close, it runs nothing and returns false.
func (g *Group) Go(f func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.work.Go(f)
	return true
}

// Close refuses new goroutines and waits for the running ones.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.work.Wait()
}
