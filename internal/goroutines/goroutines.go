// Package goroutines runs goroutines for an owner that ends while others still ask it for work.
package goroutines

import "sync"

// A Group is a [sync.WaitGroup] whose end refuses further goroutines: a WaitGroup allows none that
// begins while another one waits. The zero value is ready. It is safe for concurrent use.
type Group struct {
	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

// Go runs f in a goroutine. It reports false, and runs nothing, after Close was called.
func (g *Group) Go(f func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.work.Go(f)
	return true
}

// Close waits for all goroutines.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.work.Wait()
}
