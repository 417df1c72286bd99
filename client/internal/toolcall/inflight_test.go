package toolcall

import (
	"sync"
	"testing"

	"goated/internal/waittest"
)

// Calls begin and end while several goroutines wait for the last one, which a sync.WaitGroup
// forbids. No wait remains once no call runs.
func TestCallsBeginWhileOthersWait(t *testing.T) {
	var f InFlight
	waittest.Receive(t, "no call is under way", f.None())
	f.Begin()
	first := f.None()
	select {
	case <-first:
		t.Error("a call is in flight")
	default:
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for range 1000 {
				f.Begin()
				f.None()
				f.End()
			}
		})
	}
	calls.Wait()
	f.End()
	waittest.Receive(t, "the first wait ends", first)
	waittest.Receive(t, "no call is under way after all ended", f.None())
	f.Begin()
	select {
	case <-f.None():
		t.Error("the next call is in flight")
	default:
	}
	f.End()
}
