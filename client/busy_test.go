//go:build unix

package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// busy has a server be busy with a call for some seconds, in which it reads
// nothing. The call's end is sent.
func busy(t *testing.T, h *client.Host, seconds float64) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := h.Call(t.Context(), "m__one", map[string]any{"busy": seconds}, nil)
		ended <- err
	}()
	time.Sleep(200 * time.Millisecond) // it has read that
	return ended
}

// brief is a call that is given up soon.
func brief(t *testing.T, h *client.Host, args map[string]any) {
	t.Helper()
	const limit = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	began := time.Now()
	if _, err := h.Call(ctx, "m__one", args, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that is given up ends with %v", err)
	}
	if took := time.Since(began); late(took, limit) {
		t.Errorf("and after %v", took)
	}
}

var long = map[string]any{"pad": strings.Repeat("x", 300<<10)} // more than a pipe takes

// A server that is busy with one call for longer than it may let a message wait
// reads the next one when it is done; a call that has no time for that fails alone.
func TestBusyServer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes longer than a server may not read")
	}
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "busy"))
	first := busy(t, h, 12)
	second := make(chan error, 1)
	go func() {
		_, err := h.Call(t.Context(), "m__one", long, nil)
		second <- err
	}()
	brief(t, h, nil)
	if err := errors.Join(waittest.Receive(t, "the first call ends", first), waittest.Receive(t, "the second call ends", second)); err != nil {
		t.Errorf("%v; the card says %v", err, h.Snapshot().Servers[0].Err)
	}
}

// What is given up while a server is busy, for longer than the SDK waits to say
// so, is cancelled exactly once if it was written, in part even, and else never.
func TestCancelsOfBusyServer(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "busy"))
	first := busy(t, h, 7)
	brief(t, h, nil)  // written
	brief(t, h, long) // in part
	brief(t, h, long) // not at all
	brief(t, h, nil)
	if err := waittest.Receive(t, "the first call ends", first); err != nil {
		t.Errorf("the call that it is busy with ends with %v", err)
	}
	tally := ""
	waittest.Until(t, "it hears of what was given up", func() bool {
		r, err := h.Call(t.Context(), "m__stat", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tally = said(t, r)
		return !strings.Contains(tally, "cancels=0") && !strings.Contains(tally, "cancels=1")
	})
	r, err := h.Call(t.Context(), "m__one", nil, nil) // what came twice would be here by now
	if err != nil {
		t.Fatalf("%v %v", r, err)
	}
	if r, err = h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.Contains(said(t, r), " cancels=2 ") {
		t.Errorf("it counts %v, %v", said(t, r), err)
	}
}

// While a server is busy and half of a message is written, closing takes no longer
// than otherwise.
func TestClosingBusyServer(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "busy"))
	first := busy(t, h, 60)
	brief(t, h, long)
	brief(t, h, nil)
	began := time.Now()
	h.Close()
	if took := time.Since(began); late(took, 2200*time.Millisecond) {
		t.Errorf("closing took %v", took)
	}
	if err := waittest.Receive(t, "the first call ends", first); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("the call that it is busy with ends with %v", err)
	}
}
