//go:build unix

package client_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// busy makes a server busy with a call for some seconds, in which the server reads nothing. The
// returned channel receives the call's error.
func busy(t *testing.T, h *client.Host, seconds float64) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := h.Call(t.Context(), "m__one", map[string]any{"busy": seconds}, nil)
		ended <- err
	}()
	waittest.Until(t, "the server has read the call", func() bool { return slices.Contains(h.Snapshot().Servers[0].Stderr, "busy") })
	return ended
}

// brief makes a call that soon times out.
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

var long = map[string]any{"pad": strings.Repeat("x", 300<<10)} // more than a pipe holds

// A server may be busy with one call for longer than a message may wait. It reads the next
// message when it is done. Only a call that cannot wait that long fails.
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

// Calls may be given up while a server is busy for longer than the SDK waits to report this.
// Each call that was written, even in part, is cancelled exactly once. A call that was not
// written is not cancelled.
func TestCancelsOfBusyServer(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "busy"))
	first := busy(t, h, 7)
	brief(t, h, nil)  // written
	brief(t, h, long) // written in part
	brief(t, h, long) // not written at all
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
	r, err := h.Call(t.Context(), "m__one", nil, nil) // a duplicate would have arrived by now
	if err != nil {
		t.Fatalf("%v %v", r, err)
	}
	if r, err = h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.Contains(said(t, r), " cancels=2 ") {
		t.Errorf("it counts %v, %v", said(t, r), err)
	}
}

// Closing takes no longer than usual while a server is busy and a message is half written.
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
