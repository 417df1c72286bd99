package portal

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"time"
)

// keepAnswer is how long a [Choice] keeps an answer that came after the call.
const keepAnswer = 5 * time.Minute

// A Choice lets the user choose pictures. Its dialog stays open when a call no longer waits, and
// the next call gets the answer. Its methods can be called concurrently. Close it.
type Choice struct {
	shoot func(context.Context) (image.Image, error) // shows the dialog until ctx ends

	mu   sync.Mutex
	last *choosing // nil: no dialog is open, and no answer is kept
}

// A choosing is one dialog.
type choosing struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed at its end
	picture image.Image   // after done, as are the others
	err     error
	ended   time.Time
}

// NewChoice returns a Choice that asks with a function.
func NewChoice(shoot func(context.Context) (image.Image, error)) *Choice {
	return &Choice{shoot: shoot}
}

// Close closes the dialog.
func (c *Choice) Close() {
	c.mu.Lock()
	a := c.last
	c.last = nil
	c.mu.Unlock()
	if a != nil {
		a.cancel()
		<-a.done
	}
}

// Picture returns the picture that the user chooses. It waits for some seconds, and returns
// [ErrAsking] then: the dialog stays open.
func (c *Choice) Picture(ctx context.Context) (image.Image, error) {
	a := c.ask(ctx)
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case <-a.done:
	case <-late.C:
		return nil, ErrAsking
	case <-ctx.Done():
		return nil, fmt.Errorf("%w (%w)", ErrAsking, context.Cause(ctx))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == a {
		c.last = nil
	}
	return a.picture, a.err
}

// ask returns the dialog that is open, or was answered since the last call, or else a new one.
func (c *Choice) ask(ctx context.Context) *choosing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && !c.last.over() {
		return c.last
	}
	dialog, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialogTimeout)
	a := &choosing{cancel: cancel, done: make(chan struct{})}
	c.last = a
	go func() { // Close waits for it by done
		defer close(a.done)
		defer cancel()
		a.picture, a.err = c.shoot(dialog)
		if a.err != nil && dialog.Err() != nil {
			a.err = context.Cause(dialog)
		}
		a.ended = time.Now()
	}()
	return a
}

// over reports whether a dialog ended without an answer, or too long ago.
func (a *choosing) over() bool {
	select {
	case <-a.done:
		return errors.Is(a.err, context.DeadlineExceeded) || time.Since(a.ended) > keepAnswer
	default:
		return false
	}
}
