package client

import (
	"context"
	"errors"
	"sync"

	"goated/internal/sandbox"
)

// A bubble finds bubblewrap, and caches the result.
type bubble struct {
	find func(ctx context.Context, path string) sandbox.Bubble

	mu    sync.Mutex // held during the search, so that starts share one search
	found *sandbox.Bubble
}

// findBubble looks for bubblewrap on the first call, if again is set, and if the
// last search timed out.
func (h *Host) findBubble(again bool) sandbox.Bubble {
	h.bubble.mu.Lock()
	defer h.bubble.mu.Unlock()
	if h.bubble.found == nil || again {
		b := h.bubble.find(h.ctx, h.ownPath())
		if b.Err != nil {
			h.o.Logger.Info("servers start without bubblewrap", "cause", b.Err)
		}
		if h.bubble.found = &b; errors.Is(b.Err, context.DeadlineExceeded) || errors.Is(b.Err, context.Canceled) {
			h.bubble.found = nil
		}
		return b
	}
	return *h.bubble.found
}
