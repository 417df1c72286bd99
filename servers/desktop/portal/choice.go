package portal

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"time"
)

// keepAnswer is how long a [Choice] keeps an answer that came after the call. It is short, because
// the caller takes the picture for the present screen.
const keepAnswer = 30 * time.Second

// A Choice lets the user choose pictures. Its dialog stays open when a call no longer waits, and
// the next call gets the answer. Its methods can be called concurrently. Close it.
type Choice struct {
	shoot func(context.Context) (image.Image, error) // shows the dialog until ctx ends
	work  sync.WaitGroup                             // the dialogs

	mu     sync.Mutex
	last   *choosing // nil: no dialog is open, and no answer is kept
	closed bool
}

// A choosing is one dialog.
type choosing struct {
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed at its end
	picture image.Image   // after done, as are the others
	err     error
	ended   time.Time
}

// NewChoice returns a Choice that asks with a function.
func NewChoice(shoot func(context.Context) (image.Image, error)) *Choice {
	return &Choice{shoot: shoot}
}

// Close closes the dialog and waits for its end. Later calls get [ErrClosed].
func (c *Choice) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.Withdraw(ErrClosed)
	c.work.Wait()
}

// Withdraw closes the dialog, and forgets an answer that no call has got. A call that waits gets
// the cause.
func (c *Choice) Withdraw(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil {
		c.last.cancel(cause)
		c.last = nil
	}
}

// Picture returns the picture that the user chooses, and how long ago they chose it. It waits for
// some seconds, and returns [ErrAsking] then: the dialog stays open.
func (c *Choice) Picture(ctx context.Context) (image.Image, time.Duration, error) {
	a, err := c.ask(ctx)
	if err != nil {
		return nil, 0, err
	}
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case <-a.done:
	case <-late.C:
		return nil, 0, ErrAsking
	case <-ctx.Done():
		return nil, 0, fmt.Errorf("%w (%w)", ErrAsking, context.Cause(ctx))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == a {
		c.last = nil
	}
	return a.picture, time.Since(a.ended), a.err
}

// ask returns the dialog that is open, or was answered since the last call, or else a new one.
func (c *Choice) ask(ctx context.Context) (*choosing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, ErrClosed
	case c.last != nil && !c.last.over():
		return c.last, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	dialog, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	dialog, stop := context.WithTimeoutCause(dialog, dialogTimeout, ErrUnanswered)
	a := &choosing{cancel: cancel, done: make(chan struct{})}
	c.last = a
	c.work.Go(func() {
		defer close(a.done)
		defer cancel(nil)
		defer stop()
		a.picture, a.err = c.shoot(dialog)
		if a.err != nil && dialog.Err() != nil {
			a.err = context.Cause(dialog)
		}
		a.ended = time.Now()
	})
	return a, nil
}

// over reports whether a dialog ended without an answer, or too long ago.
func (a *choosing) over() bool {
	select {
	case <-a.done:
		return errors.Is(a.err, ErrUnanswered) || time.Since(a.ended) > keepAnswer
	default:
		return false
	}
}
