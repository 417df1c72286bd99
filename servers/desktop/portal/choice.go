package portal

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"time"
)

// keepAnswer is how long a [Choice] keeps an answer that came after the call. It is short, because the
// caller takes the picture for the present screen.
const keepAnswer = 30 * time.Second

// A Choice lets the user choose pictures. If a call stops waiting, the dialog stays open, and the next
// call gets the answer. Its methods are safe for concurrent use. The caller must close it.
type Choice struct {
	shoot func(context.Context) (image.Image, error) // shows the dialog until ctx ends
	work  sync.WaitGroup                             // the dialogs

	mu     sync.Mutex
	last   *openChoice // nil if no dialog is open and no answer is kept
	closed bool
}

// An openChoice is one dialog.
type openChoice struct {
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when the dialog has ended
	picture image.Image   // valid after done is closed, as are the fields below
	err     error
	ended   time.Time
}

// NewChoice returns a Choice that calls shoot to show the dialog.
func NewChoice(shoot func(context.Context) (image.Image, error)) *Choice {
	return &Choice{shoot: shoot}
}

// Close closes the dialog and waits for its end. Later calls return [ErrClosed].
func (c *Choice) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.Withdraw(ErrClosed)
	c.work.Wait()
}

// Withdraw closes the dialog, and discards an answer that no call has received. A waiting call returns
// cause.
func (c *Choice) Withdraw(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil {
		c.last.cancel(cause)
		c.last = nil
	}
}

// Picture returns the picture that the user chooses, and how long ago they chose it. It waits for up to
// 20 seconds. Then it returns [ErrAsking], and the dialog stays open.
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

// ask returns the dialog that is open or has been answered since the last call. If there is none, it
// opens a new one.
func (c *Choice) ask(ctx context.Context) (*openChoice, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, ErrClosed
	case c.last != nil && !c.last.isExpired():
		return c.last, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	dialog, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	dialog, stop := context.WithTimeoutCause(dialog, dialogTimeout, ErrUnanswered)
	a := &openChoice{cancel: cancel, done: make(chan struct{})}
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

// isExpired reports whether a dialog ended without an answer, or too long ago.
func (a *openChoice) isExpired() bool {
	select {
	case <-a.done:
		return errors.Is(a.err, ErrUnanswered) || time.Since(a.ended) > keepAnswer
	default:
		return false
	}
}
