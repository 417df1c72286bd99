package client

import (
	"context"
	"testing"
	"testing/synctest"
)

// Processes wait for their turn to start. A cancelled one does not take a turn.
func TestStartsAreQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Host{starts: make(chan struct{}, 2)}
		process, remote := &server{host: h, config: Config{Path: "a.py"}}, &server{host: h, config: Config{URL: "https://a.example/mcp"}}
		first, second := waitToStart(t.Context(), process), waitToStart(t.Context(), process)
		begun := false
		go func() {
			next := waitToStart(t.Context(), process)
			begun = true
			next()
		}()
		gone, cancel := context.WithCancel(t.Context())
		go func() { waitToStart(gone, process)() }()
		synctest.Wait()
		if begun {
			t.Fatal("a third process starts while two are starting")
		}
		waitToStart(t.Context(), remote)()
		cancel()
		first()
		synctest.Wait()
		if !begun {
			t.Error("the next one does not start")
		}
		second()
		if len(h.starts) != 0 {
			t.Errorf("%d places are taken at the end", len(h.starts))
		}
	})
}
