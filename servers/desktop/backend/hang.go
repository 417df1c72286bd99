package backend

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// patience is how long the X server may stay silent before the calls that wait for it end.
	patience = 4 * time.Second
	// pulse is the time between two checks of the X server.
	pulse = 500 * time.Millisecond
)

// Bound runs a call of the service. It returns when the call returns or when the X server hangs, because a
// single X request cannot be cancelled. A call that waits for a hung server ends when the server continues
// or the backend closes, and does nothing more. Until then, Bound refuses other calls.
func (b *Backend) Bound(ctx context.Context, call func(context.Context) (any, error)) (any, error) {
	s := b.core.x
	if s == nil {
		return call(ctx)
	}
	conn := s.desktop.Conn()
	hangs := status.Errorf(codes.Unavailable, "the display %s does not answer: its X server hangs; wait a few seconds, and look at the desktop before you repeat an action. If it stays so, tell the user: they have to end what blocks it, or to restart the desktop server", b.core.display())
	if conn.Hangs(patience) {
		return nil, hangs
	}
	type answer struct {
		value any
		err   error
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan answer, 1)
	runs := s.calls.Go(func() {
		v, err := call(ctx)
		done <- answer{v, err}
	})
	if !runs {
		return nil, status.Error(codes.Unavailable, "the desktop server ends")
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		select {
		case a := <-done:
			return a.value, a.err
		case <-tick.C:
			if conn.Silent() > patience {
				cancel(hangs)
				return nil, hangs
			}
		}
	}
}
