package client

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"goated/registry"
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

// A call to a server that never stops changing its tools is refused under the name of the tool. The sentence
// had the id of the server instead.
func TestEndlessChangesRefuseTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &server{view: Server{ID: "dice"}}
		busy.stale = 1
		h := &Host{o: Options{Logger: slog.New(slog.DiscardHandler)}, list: &serverList{servers: []*server{busy}, changed: make(chan struct{})}}
		_, err := h.CallEntry(t.Context(), registry.Entry{Name: "dice__roll", Server: "dice"}, nil, nil)
		if want := (&Error{Kind: ErrChanged, Subject: "dice__roll"}).Error(); err == nil || err.Error() != want {
			t.Errorf("the call says %q, want %q", err, want)
		}
	})
}
