//go:build unix

package client_test

import (
	"context"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// A late answer that is too large to read does not make other calls fail.
func TestLateAnswerThatIsTooLarge(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{MaxFrame: small})
	connect(t, h, misbehave(t, "latehuge", "3000000"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := h.Call(ctx, "m__one", nil, nil); err == nil {
		t.Fatal("it was answered")
	}
	if r, err := h.Call(t.Context(), "m__one", nil, nil); err != nil || said(t, r) != "done" {
		t.Errorf("%v", err)
	}
}

// A changed list is fetched even if a large answer arrives at the same time. If fetching it
// fails, goated fetches it again.
func TestChangedListIsFetched(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"bigmeanwhile", "1048000"}, {"listless"}} {
		h := host(t, client.Options{MaxFrame: small})
		connect(t, h, misbehave(t, args...))
		if _, err := h.Call(t.Context(), "m__one", nil, nil); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		waittest.Until(t, args[0]+": the third tool is there", func() bool { return h.Snapshot().Tools() == 3 })
	}
}
