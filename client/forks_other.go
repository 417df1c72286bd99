//go:build unix && !darwin

package client

import "time"

// A forks is the clock alone here.
type forks struct{}

func newForks() *forks { return &forks{} }

func (*forks) wait(_ []int, limit time.Duration) { time.Sleep(limit) }
