//go:build unix && !darwin

package proc

import "time"

// A forkEvents only waits: these systems report no forks.
type forkEvents struct{}

func newForkEvents() *forkEvents { return &forkEvents{} }

func (*forkEvents) wait(_ []int, limit time.Duration) { time.Sleep(limit) }
