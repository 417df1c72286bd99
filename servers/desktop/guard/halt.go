package guard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// halt cancels all running actions. The zero value is not halted.
type halt struct {
	mu      sync.Mutex
	halted  bool
	next    int
	cancels map[int]context.CancelCauseFunc
}

// Running returns [ErrHalted] while the user has halted, and nil otherwise.
func (g *Guard) Running() error {
	g.halt.mu.Lock()
	defer g.halt.mu.Unlock()
	if g.halt.halted {
		return ErrHalted
	}
	return nil
}

// Halt cancels every running action and refuses new ones until Resume. It does not wait for the
// actions to end.
func (g *Guard) Halt() {
	g.halt.mu.Lock()
	defer g.halt.mu.Unlock()
	g.halt.halted = true
	for id, cancel := range g.halt.cancels {
		cancel(ErrHalted)
		delete(g.halt.cancels, id)
	}
}

// Resume allows actions again. Only the user may call it.
func (g *Guard) Resume() {
	g.halt.mu.Lock()
	defer g.halt.mu.Unlock()
	g.halt.halted = false
}

// Begin starts an action. Halt cancels the returned context. The caller must call end when the
// action is over.
func (g *Guard) Begin(ctx context.Context) (_ context.Context, end func(), err error) {
	g.halt.mu.Lock()
	defer g.halt.mu.Unlock()
	if g.halt.halted {
		return nil, nil, ErrHalted
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if g.halt.cancels == nil {
		g.halt.cancels = make(map[int]context.CancelCauseFunc)
	}
	g.halt.next++
	id := g.halt.next
	g.halt.cancels[id] = cancel
	return ctx, func() {
		g.halt.mu.Lock()
		defer g.halt.mu.Unlock()
		delete(g.halt.cancels, id)
		cancel(nil)
	}, nil
}

// A Pace limits the rate of actions. It lets short bursts pass, delays more actions, and refuses
// too many. Create one with [newPace]. It is safe for concurrent use.
type Pace struct {
	limiter *rate.Limiter
	what    string
	wait    time.Duration
}

// newPace returns a pace with a rate and a burst size. what names the actions in errors.
func newPace(what string, perSecond float64, burst int) *Pace {
	return &Pace{rate.NewLimiter(rate.Limit(perSecond), burst), what, 2 * time.Second}
}

// A TooFastError means that too many actions started at the same time (RESOURCE_EXHAUSTED).
type TooFastError struct{ What string }

func (e *TooFastError) Error() string {
	return fmt.Sprintf("too many %s at once; wait a few seconds, and do several things with one call, such as a macro", e.What)
}

// Wait waits until an action may run, but at most two seconds.
func (p *Pace) Wait(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, p.wait)
	defer cancel()
	if err := p.limiter.Wait(limited); err != nil {
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), ctx.Err())
		}
		return &TooFastError{p.what}
	}
	return nil
}
