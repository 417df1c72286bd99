package proc

import (
	"context"
	"time"
)

const (
	settleStep  = time.Millisecond
	settleLimit = 100 * time.Millisecond
)

// Settle waits until Stderr has what the process has written to stderr so far. Stdout is another
// pipe, so a result can arrive before the lines that the process wrote first. It takes two
// milliseconds if there is nothing to wait for, and 100 at most.
func (p *Process) Settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	step := time.NewTicker(settleStep)
	defer step.Stop()
	// Bytes that have left the pipe may not be in Stderr yet, so one look is not enough.
	for empty := 0; empty < 2; {
		select {
		case <-step.C:
		case <-p.read:
			return
		case <-ctx.Done():
			return
		}
		if empty++; waiting(p.errors) {
			empty = 0
		}
	}
}
