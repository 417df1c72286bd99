package client

import (
	"context"
	"runtime"
)

// startsAtOnce returns how many processes start at the same time, up to their lists of tools: twenty
// interpreters that start together on two processors exceed the limit of a start,
// which each alone does not (measured with 21 servers).
func startsAtOnce() int { return max(4, 2*runtime.NumCPU()) }

// queued waits until a process may start, and returns how to let the next one. A server
// that runs elsewhere needs no place: its sign-in may take minutes.
func queued(ctx context.Context, s *server) (next func()) {
	if s.config.URL != "" {
		return func() {}
	}
	select {
	case s.host.starts <- struct{}{}:
		return func() { <-s.host.starts }
	case <-ctx.Done():
		return func() {}
	}
}
