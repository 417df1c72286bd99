//go:build linux

package client_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// F39: calls are cancelled at random points: before they are written, before the answer, and
// after it. GOATED_SOAK_CANCELS sets the number, 1,000 by default. The server counts: each
// unanswered call is cancelled exactly once, no call twice, and none that the server never
// received. No ID is reused. No goroutine is left.
func TestSoakCancels(t *testing.T) {
	id := mark(t)
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "fickle", id))
	var answered, cancelled atomic.Int64
	var failed sync.Once
	once := func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stop := time.AfterFunc(time.Duration(rand.Int64N(int64(4*time.Millisecond))), cancel)
		defer stop.Stop()
		switch _, err := h.Call(ctx, "m__one", nil, nil); {
		case err == nil:
			answered.Add(1)
		case errors.Is(err, context.Canceled):
			cancelled.Add(1)
		default:
			failed.Do(func() { t.Errorf("%v; the card says %v", err, h.Snapshot().Servers[0].Err) })
		}
	}
	run := func(n int) { inParallel(16, n, once) }
	run(50)
	before := take(id)
	n := soak("GOATED_SOAK_CANCELS", 1000)
	began := time.Now()
	run(n)
	took := time.Since(began)
	tally := ""
	waittest.Until(t, "each is cancelled", func() bool {
		r, err := h.Call(t.Context(), "m__stat", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tally = said(t, r)
		return strings.Contains(tally, " never=0 ")
	})
	after := settled(id, before)
	t.Logf("%d calls in %v, %d answered, %d cancelled; the server counts %s; goroutines %+d", n+50, took.Round(time.Millisecond),
		answered.Load(), cancelled.Load(), tally, after.goroutines-before.goroutines)
	if !strings.HasSuffix(tally, " never=0 twice=0 astray=0 reused=0") {
		t.Errorf("the server counts %s", tally)
	}
	// The host has dropped the late answers.
	if s := h.Snapshot().Servers[0].Noise; s.Unasked == 0 || s.Lines != 0 {
		t.Errorf("counted %+v", s)
	}
	flat(t, before, after)
}
