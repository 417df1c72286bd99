package proc

import (
	"context"
	"time"
)

const (
	settleStep  = time.Millisecond
	settleLimit = 100 * time.Millisecond
)

// Settle waits until Stderr contains everything that the process has written to stderr so far.
// Stdout is a separate pipe, so a result can arrive before lines that the process wrote earlier.
// Settle takes two milliseconds if there is nothing to wait for, and at most 100.
func (p *Process) Settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	step := time.NewTicker(settleStep)
	defer step.Stop()
	// A byte that has left the pipe may not be in Stderr yet, so one check is not enough.
	for empty := 0; empty < 2; {
		select {
		case <-step.C:
		case <-p.read:
			return
		case <-ctx.Done():
			return
		}
		if empty++; Unread(p.errors) > 0 {
			empty = 0
		}
	}
}
