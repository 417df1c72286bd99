package client

import (
	"context"
	"runtime"
)

// maxConcurrentStarts returns how many servers may start at the same time, until they have listed their
// tools. Twenty interpreters that start together on two processors exceed the time limit of a start,
// although each of them is fast alone (measured with 21 servers).
func maxConcurrentStarts() int { return max(4, 2*runtime.NumCPU()) }

// waitToStart waits until a process may start, and returns the function that lets the next one start. A
// server with a URL does not wait and blocks no other: its sign-in may take minutes.
func waitToStart(ctx context.Context, s *server) (next func()) {
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
