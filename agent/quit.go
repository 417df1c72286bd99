package agent

import (
	"context"
	"errors"
)

// ErrQuit is the cause of a context that ends because goated quits. The user did not stop
// its turns then.
var ErrQuit = errors.New("goated quit")

// stopped returns why a turn ends whose ctx has ended.
func stopped(ctx context.Context) Reason {
	if context.Cause(ctx) == ErrQuit {
		return Quit
	}
	return Cancelled
}

// cancelled returns why a call ends whose ctx has ended.
func cancelled(ctx context.Context) Refusal {
	if context.Cause(ctx) == ErrQuit {
		return CallQuit
	}
	return CallCancelled
}
