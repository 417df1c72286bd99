package goroutines_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"goated/internal/goroutines"
)

// Callers may start goroutines while their owner closes. None runs after Close, when its resources
// are closed.
func TestNoneBeginsAfterTheEnd(t *testing.T) {
	for range 200 {
		var g goroutines.Group
		var over, late atomic.Bool
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				for range 50 {
					g.Go(func() {
						if over.Load() {
							late.Store(true)
						}
					})
				}
			})
		}
		g.Close()
		over.Store(true)
		callers.Wait()
		g.Close()
		if late.Load() {
			t.Fatal("one runs after the end")
		}
	}
}
