package client

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
)

// sandboxes holds what this system can confine, and which servers the user allows to run without
// a sandbox. It is safe for concurrent use.
type sandboxes struct {
	probe  func() sandbox.Status
	find   func() sandbox.Bubble
	groups func() *cgroup.Tree // made once; nil: there are none
	failed func(error)         // logs that bubblewrap does not work
	ask    func(ctx context.Context, name string, c Config) bool

	mu      sync.Mutex
	allowed map[string]bool // servers that may run without a sandbox

	searching sync.Mutex // held during find, so that all starts share one search
	found     *sandbox.Bubble
}

// bubble returns how to run bubblewrap. It searches for it on the first call, when again is set, and
// when the last search timed out.
func (b *sandboxes) bubble(again bool) sandbox.Bubble {
	b.searching.Lock()
	defer b.searching.Unlock()
	if b.found != nil && !again {
		return *b.found
	}
	found := b.find()
	if found.Err != nil {
		b.failed(found.Err)
	}
	if b.found = &found; errors.Is(found.Err, context.DeadlineExceeded) || errors.Is(found.Err, context.Canceled) {
		b.found = nil
	}
	return found
}

// askUnconfined asks the user, once per server, whether the server may run without a sandbox. It
// returns nil if it may.
func (b *sandboxes) askUnconfined(ctx context.Context, name string, c Config) error {
	key := fmt.Sprintf("%q", append([]string{c.subject()}, c.commandArgs()...))
	b.mu.Lock()
	allowed := b.allowed[key]
	b.mu.Unlock()
	switch {
	case allowed:
		return nil
	case b.ask == nil:
		return errCannotAsk
	case !b.ask(ctx, name, c):
		return errUnconfined
	}
	b.mu.Lock()
	b.allowed[key] = true
	b.mu.Unlock()
	return nil
}
