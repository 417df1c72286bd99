package input

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"
)

const (
	// heldKeysTimeout is how long to wait for the user to release the modifiers.
	heldKeysTimeout = time.Second
	// noPingWait is how long to wait for a program that does not answer pings.
	noPingWait = 60 * time.Millisecond
	// slow is how long to wait for such a program before borrowed keycodes are freed. It reads the
	// layout only when it handles the keys, and loses those whose keycodes have been freed by then.
	slow = 400 * time.Millisecond
	// answer is how long a program may take to answer a ping.
	answer = 5 * time.Second
	// maxText limits the text of one call, in bytes.
	maxText = 1 << 20
)

// Key presses a key, such as "c", "Return" or "ctrl+shift+t", together with modifiers, and holds it for
// a duration.
func (in *Input) Key(ctx context.Context, key string, hold time.Duration, modifiers ...Modifier) error {
	sym, more, err := chord(key)
	if err != nil {
		return err
	}
	modifiers = append(more, modifiers...)
	for _, m := range modifiers {
		if m != Shift && sym >= 'A' && sym <= 'Z' {
			sym += 'a' - 'A' // people write "ctrl+C" for ctrl+c
		}
	}
	return in.do(ctx, func(s *sequence) error {
		k, err := s.ready()
		if err == nil && sym != modifierKeys(CapsKey)[0] && !slices.Contains(modifiers, CapsKey) {
			err = s.uncapped(k)
		}
		if err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		code, shift, ok := k.find(sym)
		if !ok {
			lent, err := s.lend(k, []xproto.Keysym{sym})
			if err != nil {
				return err
			}
			defer s.takeBack(lent)
			code = lent[sym]
		}
		if err := s.stroke(k, code, shift, hold); err != nil {
			return err
		}
		if !ok {
			s.drained()
		}
		return nil
	})
}

// A StoppedError reports how many characters of a text were typed before an error.
type StoppedError struct {
	Typed, Of int
	Err       error
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("after %d of %d characters: %v", e.Typed, e.Of, e.Err)
}

func (e *StoppedError) Unwrap() error { return e.Err }

// Type types text. A line break becomes Return. Characters that the keyboard lacks borrow spare
// keycodes. Type waits for delay after each character. If it fails in the middle of the text, the error
// is a [*StoppedError].
func (in *Input) Type(ctx context.Context, text string, delay time.Duration) error {
	if len(text) > maxText {
		return fmt.Errorf("%w: a text of %d bytes; at most %d are typed at once", ErrKey, len(text), maxText)
	}
	var syms []xproto.Keysym
	var before rune
	for i, r := range text {
		sym := ofRune(r)
		if sym == 0 {
			return fmt.Errorf("%w: the text has %U at byte %d, which no key types", ErrKey, r, i)
		}
		if r != '\n' || before != '\r' {
			syms = append(syms, sym)
		}
		before = r
	}
	return in.do(ctx, func(s *sequence) error {
		k, err := s.ready()
		if err == nil {
			err = s.uncapped(k)
		}
		if err != nil {
			return err
		}
		spare := len(k.spare())
		for done := 0; done < len(syms); {
			n, missing := batch(k, syms[done:], spare)
			if n == 0 {
				return fmt.Errorf("%w: it has no spare keycode for characters that it lacks; paste the text instead", ErrKey)
			}
			typed, err := s.typeBatch(k, syms[done:done+n], missing, delay)
			done += typed
			if err != nil {
				return &StoppedError{done, utf8.RuneCountInString(text), err}
			}
		}
		return nil
	})
}

// Settle waits until the focused program has processed the previous input, if it answers the pings of
// window managers.
func (in *Input) Settle(ctx context.Context) error {
	return in.do(ctx, func(s *sequence) error {
		if w := s.focus(); w != 0 && s.pings(w) {
			s.processed()
		}
		return context.Cause(ctx)
	})
}

// batch returns how many keysyms can be typed with the given number of spare keycodes, and which of
// them need one.
func batch(k *keyboard, syms []xproto.Keysym, spare int) (n int, missing []xproto.Keysym) {
	lent := make(map[xproto.Keysym]bool)
	known := make(map[xproto.Keysym]bool)
	for _, sym := range syms {
		if !known[sym] && !lent[sym] {
			if _, _, ok := k.find(sym); ok {
				known[sym] = true
			} else {
				if len(missing) == spare {
					return n, missing
				}
				lent[sym] = true
				missing = append(missing, sym)
			}
		}
		n++
	}
	return n, missing
}

// typeBatch types keysyms and returns how many it typed.
func (s *sequence) typeBatch(k *keyboard, syms, missing []xproto.Keysym, delay time.Duration) (typed int, err error) {
	var lent map[xproto.Keysym]xproto.Keycode
	if len(missing) > 0 {
		if lent, err = s.lend(k, missing); err != nil {
			return 0, err
		}
		defer s.takeBack(lent)
	}
	for i, sym := range syms {
		code, shift := lent[sym], false
		if code == 0 {
			code, shift, _ = k.find(sym)
		}
		if err := s.stroke(k, code, shift, 0); err != nil {
			return i, err
		}
		if err := s.pause(delay); err != nil {
			return i + 1, err
		}
	}
	if len(missing) > 0 {
		s.drained()
	}
	return len(syms), nil
}

// stroke presses and releases a key.
func (s *sequence) stroke(k *keyboard, code xproto.Keycode, shift bool, hold time.Duration) error {
	if shift {
		if err := s.modifiers([]Modifier{Shift}); err != nil {
			return err
		}
		defer s.release()
	}
	if hold > 0 {
		return s.hold(code, hold)
	}
	if err := s.down(code); err != nil {
		return err
	}
	s.release()
	return nil
}

// modifiers holds the keys of modifiers until the end of the sequence.
func (s *sequence) modifiers(list []Modifier) error {
	if len(list) == 0 {
		return nil
	}
	k, err := s.in.layout()
	if err != nil {
		return err
	}
next:
	for _, m := range list {
		for _, sym := range modifierKeys(m) {
			if code, _, ok := k.find(sym); ok {
				if err := s.down(code); err != nil {
					return err
				}
				continue next
			}
		}
		return fmt.Errorf("%w: there is no key %q", ErrKey, m)
	}
	return nil
}

// ready waits until the user holds no modifier, and returns the layout.
func (s *sequence) ready() (*keyboard, error) {
	const busy = xproto.ModMaskShift | xproto.ModMaskControl | xproto.ModMask1 | xproto.ModMask4
	for end := time.Now().Add(heldKeysTimeout); ; {
		k, err := s.in.layout()
		if err != nil || k.number&busy == 0 {
			return k, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%w: release Shift, Control, Alt and Super", ErrHeld)
		}
		if err := s.pause(frame); err != nil {
			return nil, err
		}
	}
}

// lend assigns keysyms to spare keycodes, and waits until the focused program has noticed.
func (s *sequence) lend(k *keyboard, syms []xproto.Keysym) (map[xproto.Keysym]xproto.Keycode, error) {
	if err := s.prime(); err != nil {
		return nil, err
	}
	spare := k.spare()
	if len(spare) < len(syms) {
		return nil, fmt.Errorf("%w: it has no spare keycode for a character that it lacks", ErrKey)
	}
	lent := make(map[xproto.Keysym]xproto.Keycode, len(syms))
	for i, sym := range syms {
		lent[sym] = spare[i]
		// The same keysym on every level works whatever is locked.
		xproto.ChangeKeyboardMapping(s.in.c.X, 1, spare[i], 4, []xproto.Keysym{sym, sym, sym, sym})
	}
	if err := s.in.c.Sync(); err != nil {
		return lent, err
	}
	if s.processed() {
		return lent, s.pause(5 * time.Millisecond) // some programs read the layout a little later
	}
	return lent, context.Cause(s.ctx)
}

// prime makes the server switch to the XTEST keyboard before its layout changes. The server copies that
// keyboard's layout with the first key, and programs read the layout again while further keys are
// already being sent. A tap on Shift has no other effect.
func (s *sequence) prime() error {
	s.in.mu.Lock()
	primed := s.in.primed
	s.in.primed = true
	s.in.mu.Unlock()
	if primed {
		return nil
	}
	if err := s.modifiers([]Modifier{Shift}); err != nil {
		return err
	}
	s.release()
	if err := s.in.c.Sync(); err != nil {
		return err
	}
	s.processed()
	return context.Cause(s.ctx)
}

// takeBack frees the keycodes, even after a panic or a cancelled context.
func (s *sequence) takeBack(lent map[xproto.Keysym]xproto.Keycode) {
	for _, code := range lent {
		xproto.ChangeKeyboardMapping(s.in.c.X, 1, code, 1, []xproto.Keysym{0})
	}
	_ = s.in.c.Sync()
}

// processed waits until the focused program has processed all events so far. It pings the program as a
// window manager does. If the program does not answer pings, processed waits for a fixed time and until
// the program is idle, and returns false.
func (s *sequence) processed() bool {
	w := s.focus()
	if w == 0 || !s.pings(w) {
		_ = s.pause(noPingWait)
		s.idle(w)
		return false
	}
	for { // drop answers to earlier pings
		select {
		case <-s.in.pongs:
			continue
		default:
		}
		break
	}
	stamp := uint32(time.Now().UnixMilli())
	c := s.in.c
	e := xproto.ClientMessageEvent{Format: 32, Window: w, Type: c.Atom("WM_PROTOCOLS"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(c.Atom("_NET_WM_PING")), stamp, uint32(w), 0, 0})}
	xproto.SendEvent(c.X, false, w, xproto.EventMaskNoEvent, string(e.Bytes()))
	late := time.NewTimer(answer)
	defer late.Stop()
	for {
		select {
		case t := <-s.in.pongs:
			if t == stamp {
				return true
			}
		case <-late.C:
			return false
		case <-s.ctx.Done():
			return false
		case <-c.Gone():
			return false
		}
	}
}

// drained waits until the focused program has read the keys, so that borrowed keycodes can be freed.
func (s *sequence) drained() {
	w := s.focus()
	if w != 0 && s.pings(w) {
		s.processed()
		return
	}
	_ = s.pause(slow)
	s.idle(w)
}

// pings reports whether the program of a window answers pings.
func (s *sequence) pings(w xproto.Window) bool {
	ping := uint32(s.in.c.Atom("_NET_WM_PING"))
	for _, a := range s.in.c.Ask(w, "WM_PROTOCOLS").Cardinals() {
		if a == ping {
			return true
		}
	}
	return false
}

// focus returns the window of the focused application, or 0.
func (s *sequence) focus() xproto.Window {
	c := s.in.c
	if w, ok := c.Ask(c.Root, "_NET_ACTIVE_WINDOW").Cardinal(); ok && w != 0 {
		return xproto.Window(w)
	}
	f, err := xproto.GetInputFocus(c.X).Reply()
	if err != nil || f.Focus <= 1 {
		return 0
	}
	for at := f.Focus; at != c.Root && at != 0; { // the focus may be on a part of the window
		if r := c.Ask(at, "WM_STATE").Reply(); r != nil && r.Type != 0 {
			return at
		}
		t, err := xproto.QueryTree(c.X, at).Reply()
		if err != nil {
			return 0
		}
		at = t.Parent
	}
	return 0
}

// Gone returns a channel that is closed when the connection to the display has ended.
func (in *Input) Gone() <-chan struct{} { return in.c.Gone() }
