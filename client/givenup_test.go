//go:build linux

package client_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// A cancelled Connect returns soon, however long the keeper takes to start, and leaves no
// process. A Connect that is cancelled at any other moment leaves none either.
func TestCancelledConnect(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"slow", "slow bare", "any", "any bare"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			id := strings.ReplaceAll(mark(t), " ", "-")
			which, _, bare := strings.Cut(how, " ")
			o := client.Options{Process: client.ProcessOptions{NoBubble: bare, Keeper: append(keeper(t), id)}}
			times, after := 5, func() time.Duration { return rand.N(100 * time.Millisecond) }
			if which == "slow" {
				o.Process.Keeper = append([]string{"/bin/sh", "-c", `sleep 15; exec "$@"`, "sh"}, o.Process.Keeper...)
				times, after = 1, func() time.Duration { return 300 * time.Millisecond }
			}
			h, c := host(t, o), misbehave(t, "family", id)
			for range times {
				ctx, cancel := context.WithTimeout(t.Context(), after())
				began := time.Now()
				server, err := h.Connect(ctx, c)
				took := time.Since(began)
				cancel()
				if err == nil {
					err = h.Disconnect(t.Context(), server)
				} else if errors.Is(err, context.Canceled) {
					err = nil
				}
				if err != nil || late(took, 2200*time.Millisecond) {
					t.Errorf("it ends with %v after %v", err, took)
				}
				if left := h.Snapshot().Servers; len(left) > 0 {
					t.Errorf("the list has %+v", left)
				}
				waittest.Until(t, "nobody is left", func() bool { return len(descendants(id)) == 0 })
			}
		})
	}
}
