package client

import (
	"testing"
	"time"

	"goated/internal/proc"
)

// A server that prints while somebody looks at the servers: whoever is told of it
// looks, too, and neither waits for the other. It was so once, and goated stood
// still for good.
func TestPrintingWhileSomebodyLooks(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	defer h.Close()
	s := newServer(h, Config{Path: "x.py"})
	c := &stdio{p: &proc.Process{Stderr: new(proc.LogRing)}, tell: h.changedSoon, closed: make(chan struct{})}
	s.conn = c
	h.mu.Lock()
	h.servers = append(h.servers, s)
	h.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		printed := make(chan struct{})
		go func() {
			defer close(printed)
			for range 20_000 {
				c.mu.Lock()
				c.stray.Lines, c.row, c.rowBytes, c.idle = 0, 0, 0, burden{}
				c.mu.Unlock()
				_ = c.strayed([]byte("hello"), errSyntax)
			}
		}()
		for {
			select {
			case <-printed:
				return
			default:
				h.Snapshot()
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("they wait for each other")
	}
	h.mu.Lock()
	h.servers = nil // nothing runs for it
	h.mu.Unlock()
}
