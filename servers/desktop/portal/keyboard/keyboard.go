// Package keyboard types through the portal of a Wayland session. It asks a [Guard] before each key,
// and releases each key that it pressed.
//
// The package owns the order of keys: one sequence runs at a time. It must not depend on windows.
package keyboard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"goated/servers/desktop/portal"
)

// The keysyms that this package treats specially.
const (
	shift = 0xffe1 // has no effect when pressed alone
	tab   = 0xff09
	enter = 0xff0d
)

const (
	// focusing is how long a window may take to get the focus after the keyboard appeared.
	focusing = 2 * time.Second
	// glance is the interval at which the focus is checked.
	glance = 50 * time.Millisecond
	// answer is how long the desktop may take to accept a key.
	answer = 2 * time.Second
	// moving is how long a busy program may take to move the focus to another element. A program that
	// is still busy then, such as one that plays an animation, gets half of it after the next key of
	// the same text, and at least restless.
	moving   = 2 * time.Second
	restless = 50 * time.Millisecond
)

// A Guard allows or refuses each key.
type Guard interface {
	// Keys returns an error if a key would go to the wrong place.
	Keys(ctx context.Context) error
	// Focus reports whether some window has the keyboard focus.
	Focus(ctx context.Context) bool
	// Moved is called after a key that may move the focus to another element. It returns true when the
	// focused program has done so, and false if the program is still busy after limit.
	Moved(ctx context.Context, limit time.Duration) (bool, error)
}

// A Keyboard presses keys. Its methods are safe for concurrent use.
type Keyboard struct {
	portal *portal.Portal
	guard  Guard
	turn   chan struct{} // holds a token during a sequence
}

// New returns a keyboard that uses a portal. The user is asked before the first key.
func New(p *portal.Portal, g Guard) *Keyboard {
	return &Keyboard{portal: p, guard: g, turn: make(chan struct{}, 1)}
}

// begin asks for consent, and waits until a window has the focus. In a session without a keyboard, a
// window gets the focus only after a keyboard appears.
func (k *Keyboard) begin(ctx context.Context) (end func(), err error) {
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	end = func() { <-k.turn }
	fresh, err := k.portal.Allow(ctx)
	if err == nil && fresh {
		if err = k.press(ctx, shift); err == nil {
			err = k.release(ctx, []uint32{shift})
		}
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

// Type presses keys one after another, given their keysyms, and pauses for delay between two keys. If
// some keys were typed before an error, the error contains how many.
func (k *Keyboard) Type(ctx context.Context, syms []uint32, delay time.Duration) error {
	end, err := k.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	limit := moving
	moved := func() error {
		done, err := k.guard.Moved(ctx, limit)
		if !done {
			limit = max(limit/2, restless)
		}
		return err
	}
	for i, sym := range syms {
		if i > 0 {
			err = pause(ctx, delay)
		}
		if err == nil && i > 0 && moves(syms[i-1]) {
			err = moved()
		}
		if err == nil {
			err = k.tap(ctx, sym, 0)
		}
		typed := i
		if err == nil && i == len(syms)-1 && moves(sym) { // the next action may follow at once
			typed, err = len(syms), moved()
		}
		switch {
		case err != nil && typed == 0:
			return err
		case err != nil:
			return fmt.Errorf("after %d of %d characters: %w", typed, len(syms), err)
		}
	}
	return nil
}

// moves reports whether a key in a text may move the focus to another element.
func moves(sym uint32) bool { return sym == tab || sym == enter }

// tap presses and releases a key.
func (k *Keyboard) tap(ctx context.Context, sym uint32, hold time.Duration) error {
	if err := k.guard.Keys(ctx); err != nil {
		return err
	}
	if err := k.press(ctx, sym); err != nil {
		return err
	}
	err := pause(ctx, hold)
	return errors.Join(err, k.release(ctx, []uint32{sym}))
}

// press presses a key unless ctx has ended. It waits for the reply of the desktop even if ctx ends in
// the meantime. Otherwise it would be unknown whether the key is down, and the key might stay down.
func (k *Keyboard) press(ctx context.Context, sym uint32) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), answer)
	defer cancel()
	err := k.portal.Key(brief, sym, true)
	if brief.Err() != nil {
		err = errors.Join(err, k.release(ctx, []uint32{sym})) // the press may have arrived
	}
	return err
}

// Chord presses a key for a duration while other keys are held.
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
		if err := k.press(ctx, m); err != nil {
			return errors.Join(err, k.release(ctx, held[:i]))
		}
	}
	if err := errors.Join(k.tap(ctx, sym, hold), k.release(ctx, held)); err != nil {
		return err
	}
	if _, err := k.guard.Moved(ctx, moving); err != nil {
		return fmt.Errorf("after the key was pressed: %w", err)
	}
	return nil
}

// release releases keys in reverse order, even after ctx has ended.
func (k *Keyboard) release(ctx context.Context, held []uint32) (err error) {
	brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), answer)
	defer cancel()
	for i := len(held) - 1; i >= 0; i-- {
		err = errors.Join(err, k.portal.Key(brief, held[i], false))
	}
	return err
}
