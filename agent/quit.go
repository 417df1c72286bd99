package agent

import (
	"context"
	"errors"
)

// ErrQuit is the cause of a context that ends because goated quits, rather than because the user
// stopped the turn.
var ErrQuit = errors.New("goated quit")

// stopReason returns the reason of a turn whose ctx has ended.
func stopReason(ctx context.Context) Reason {
	if context.Cause(ctx) == ErrQuit {
		return Quit
	}
	return Cancelled
}

// cancelled returns the refusal of a call whose ctx has ended.
func cancelled(ctx context.Context) Refusal {
	if context.Cause(ctx) == ErrQuit {
		return CallQuit
	}
	return CallCancelled
}
