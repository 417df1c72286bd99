//go:build unix

package client_test

import (
	"sync"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// Close kills a server that ignores the end of stdin and SIGTERM within 2.2 s, even during a
// call.
func TestCloseInTime(t *testing.T) {
	t.Parallel()
	f := figure{what: "closing, SIGTERM ignored", goal: 2200 * time.Millisecond}
	var mu sync.Mutex
	var calls []chan struct{} // each closes at the end of the call in flight
	closes := func() {
		h := host(t, client.Options{})
		connect(t, h, misbehave(t, "ignores-sigterm"))
		connect(t, h, misbehave(t, "hangcall"))
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = h.Call(t.Context(), "m-2__one", nil, nil)
		}()
		time.Sleep(20 * time.Millisecond)
		began := time.Now()
		h.Close()
		took := time.Since(began)
		mu.Lock()
		f.took = append(f.took, took)
		calls = append(calls, done)
		mu.Unlock()
	}
	work := make(chan int)
	var wg sync.WaitGroup
	for range 8 { // each of them mostly waits
		wg.Go(func() {
			for range work {
				closes()
			}
		})
	}
	for i := range soak("GOATED_SOAK_CLOSES", 3) {
		work <- i
	}
	close(work)
	wg.Wait()
	for _, done := range calls {
		waittest.Receive(t, "the call in flight ends", done)
	}
	f.check(t)
}
