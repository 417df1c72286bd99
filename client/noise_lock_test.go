package client

import (
	"os/exec"
	"testing"
	"time"

	"goated/client/internal/limits"
	"goated/client/internal/stdio"
	"goated/internal/proc"
)

// Noise is counted while a snapshot is taken, and a snapshot is taken when noise is reported.
// Neither waits for the other. They once deadlocked, and goated hung.
func TestPrintingDuringSnapshots(t *testing.T) {
	t.Parallel()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	h := New(Options{})
	defer h.Close()
	p, err := proc.Start(t.Context(), proc.Command{Program: cat}, new(proc.LogRing))
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(h, Config{Path: "x.py"})
	s.link = &link{log: p.Stderr, process: p, transport: stdio.New(p, stdio.Options{MaxFrame: 1 << 20})}
	defer s.link.Close()
	noise := limits.New(p.Stderr, func() {
		h.list.notifySoon()
		h.Snapshot()
	})
	s.link.transport = noisy{s.link.transport, noise}
	h.list.mu.Lock()
	h.list.servers = append(h.list.servers, s)
	h.list.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		printed := make(chan struct{})
		go func() {
			defer close(printed)
			for range 20 {
				for range limits.MaxStreak {
					_ = noise.Line([]byte("hello"), nil)
				}
				_ = noise.Message(limits.Answer, "")
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
	h.list.mu.Lock()
	h.list.servers = nil // nothing is running for s
	h.list.mu.Unlock()
}

// A noisy transport has its own limits.
type noisy struct {
	transport
	limits *limits.Limits
}

func (n noisy) Noise() limits.Noise { return n.limits.Noise() }
