// Package keyboard types through the portal of a Wayland session. It asks a guard before each
// key, and releases each key that it pressed.
//
// The package owns the order of keys: one sequence runs at a time. It must not know windows.
package keyboard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"goated/servers/desktop/portal"
)

// The keysyms of keys that this package knows.
const (
	shift = 0xffe1 // changes nothing when it is pressed alone
	tab   = 0xff09
	enter = 0xff0d
)

const (
	// focusing is how long a window may take to get the keys after the keyboard appeared.
	focusing = 2 * time.Second
	// glance is the time between two looks at it.
	glance = 50 * time.Millisecond
)

// A Guard decides about each key.
type Guard interface {
	// Keys refuses a key that would go to the wrong place.
	Keys(ctx context.Context) error
	// Focus reports whether some window has the keys.
	Focus(ctx context.Context) bool
	// Moved is called after a key that may give the keys to another element.
	Moved()
}

// A Keyboard presses keys. Its methods can be called concurrently.
type Keyboard struct {
	portal *portal.Portal
	guard  Guard
	turn   chan struct{} // holds a token while a sequence runs
}

// New returns a keyboard of a portal. The user is asked before the first key.
func New(p *portal.Portal, g Guard) *Keyboard {
	return &Keyboard{portal: p, guard: g, turn: make(chan struct{}, 1)}
}

// begin asks for consent, and waits until a window has the keys: a session without a keyboard
// gives them to a window only when there is one.
func (k *Keyboard) begin(ctx context.Context) (end func(), err error) {
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	end = func() { <-k.turn }
	fresh, err := k.portal.Allow(ctx)
	if err == nil && fresh {
		err = errors.Join(k.portal.Key(ctx, shift, true), k.portal.Key(ctx, shift, false))
	}
	for until := time.Now().Add(focusing); err == nil && fresh && !k.guard.Focus(ctx) && time.Now().Before(until); {
		err = pause(ctx, glance)
	}
	if err != nil {
		end()
		return nil, err
	}
	return end, nil
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Type presses keys one after the other, by their keysyms, with a pause between two.
func (k *Keyboard) Type(ctx context.Context, syms []uint32, delay time.Duration) error {
	end, err := k.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	for i, sym := range syms {
		if i > 0 {
			err = pause(ctx, delay)
		}
		if err == nil {
			err = k.tap(ctx, sym, 0)
		}
		if err != nil {
			return fmt.Errorf("after %d characters: %w", i, err)
		}
		if sym == tab || sym == enter {
			k.guard.Moved()
		}
	}
	return nil
}

// tap presses and releases a key.
func (k *Keyboard) tap(ctx context.Context, sym uint32, hold time.Duration) error {
	if err := k.guard.Keys(ctx); err != nil {
		return err
	}
	if err := k.portal.Key(ctx, sym, true); err != nil {
		return err
	}
	err := pause(ctx, hold)
	return errors.Join(err, k.portal.Key(context.WithoutCancel(ctx), sym, false))
}

// Chord presses a key for a time, while others are held.
func (k *Keyboard) Chord(ctx context.Context, sym uint32, held []uint32, hold time.Duration) error {
	end, err := k.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := k.guard.Keys(ctx); err != nil {
		return err
	}
	for i, m := range held {
		if err := k.portal.Key(ctx, m, true); err != nil {
			return errors.Join(err, k.release(ctx, held[:i]))
		}
	}
	return errors.Join(k.tap(ctx, sym, hold), k.release(ctx, held))
}

// release releases keys, the last one first.
func (k *Keyboard) release(ctx context.Context, held []uint32) (err error) {
	for i := len(held) - 1; i >= 0; i-- {
		err = errors.Join(err, k.portal.Key(context.WithoutCancel(ctx), held[i], false))
	}
	return err
}
