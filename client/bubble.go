package client

import (
	"context"
	"errors"
	"sync"

	"goated/internal/sandbox"
)

// A bubble is bubblewrap, once it is looked for.
type bubble struct {
	find func(ctx context.Context, path string) sandbox.Bubble

	mu    sync.Mutex // held while it is looked for, which all that start wait for
	found *sandbox.Bubble
}

// findBubble looks for bubblewrap when it is first wanted, or anew; again where a
// busy machine gave no answer.
func (h *Host) findBubble(anew bool) sandbox.Bubble {
	h.bubble.mu.Lock()
	defer h.bubble.mu.Unlock()
	if h.bubble.found == nil || anew {
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

// in is the invocation in a bubble, if b is one that works, or in none because of b.
func (c invocation) in(b sandbox.Bubble) invocation {
	p := *c.policy
	if p.Bubble, p.Shm = false, false; b.Wrap == sandbox.Wrapped {
		p = b.Enclose(p, c.keeper[0])
	}
	c.policy, c.bubble = &p, b
	return c
}
