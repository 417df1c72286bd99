package input_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/internal/waittest"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/input"
	"goated/servers/desktop/x11/wire"
)

// A hook is a Guard that calls functions.
type hook struct{ point, keys func() error }

func (h *hook) Point(context.Context, int, int) error { return h.point() }
func (h *hook) Press(context.Context, int, int) error { return h.point() }
func (h *hook) Drop(context.Context, int, int) error  { return h.point() }
func (h *hook) Keys(context.Context) error            { return h.keys() }

// errSecond is the error with which a guard refuses the second question.
var errSecond = errors.New("goated is there now")

// A window closes, or loses the keyboard focus, between the guard's answer and the press. The press
// must not reach the window that appears: the guard is asked again.
func TestAPressGoesWhereTheGuardLooked(t *testing.T) {
	desk.Need(t)
	bare, err := hidden.Start(t.Context(), hidden.Options{Width: 400, Height: 300, Bare: true}) // a window manager also moves the focus
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	received := make(chan string, 1000)
	c, err := wire.Dial(t.Context(), wire.Options{Display: bare.Display, Authority: bare.Authority(), Handle: func(e wire.Event) {
		switch e := e.Core.(type) {
		case xproto.KeyPressEvent:
			received <- fmt.Sprint("key ", e.Detail)
		case xproto.ButtonPressEvent:
			received <- fmt.Sprint("button ", e.Detail)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	window := func(mask uint32) xproto.Window {
		w, err := xproto.NewWindowId(c.X)
		if err != nil {
			t.Fatal(err)
		}
		xproto.CreateWindow(c.X, 0, w, c.Root, 50, 50, 200, 200, 0, xproto.WindowClassInputOutput, 0, xproto.CwEventMask, []uint32{mask})
		xproto.MapWindow(c.X, w)
		return w
	}
	below, above := window(xproto.EventMaskKeyPress|xproto.EventMaskButtonPress), window(0)
	focus := func(w xproto.Window) error {
		xproto.SetInputFocus(c.X, xproto.InputFocusPointerRoot, w, xproto.TimeCurrentTime)
		return c.Sync()
	}
	asked := 0
	uncover := func() error {
		if asked++; asked > 1 {
			return errSecond
		}
		xproto.UnmapWindow(c.X, above)
		return focus(below)
	}
	guard := &hook{uncover, uncover}
	in, err := input.New(t.Context(), input.Options{Display: bare.Display, Authority: bare.Authority(), Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx := t.Context()
	for name, act := range map[string]func() error{
		"click":  func() error { return in.Click(ctx, 99, 99, input.Left, 1) },
		"scroll": func() error { return in.Scroll(ctx, 99, 99, 0, 1, 0) },
		"down":   func() error { return in.ButtonDown(ctx, 99, 99, input.Left) },
		"key":    func() error { return in.Key(ctx, "a", 0) },
		"hold":   func() error { return in.Key(ctx, "a", time.Minute) },
		"type":   func() error { return in.Type(ctx, "a", 0) },
	} {
		xproto.MapWindow(c.X, above)
		if err := focus(above); err != nil {
			t.Fatal(err)
		}
		asked = 0
		if err := act(); !errors.Is(err, errSecond) {
			t.Errorf("%s: %v after %d questions", name, err, asked)
		}
	}
	guard.point, guard.keys = func() error { return nil }, func() error { return nil }
	if err := in.Click(ctx, 99, 99, input.Right, 1); err != nil {
		t.Fatal(err)
	}
	if got := waittest.Receive(t, "the window receives the press", received); got != "button 3" {
		t.Errorf("the window below received the %s", got)
	}
}

// A held key repeats only while the guard allows it. A window that gets the focus in the meantime does
// not receive it. Afterwards the keyboard repeats keys again.
func TestAHeldKeyDoesNotReachTheNextWindow(t *testing.T) {
	d := desk.Open(t, nil)
	first := desk.Terminal(t, d, "it closes")
	in := open(t, &hook{func() error { return nil }, func() error {
		if w, ok, err := d.Focused(); err != nil || !ok || w.ID != first.ID {
			return errSecond
		}
		return nil
	}})
	second, lines := events(t, d)
	if _, err := d.Activate(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	held := make(chan error, 1)
	go func() { held <- in.Key(t.Context(), "a", time.Minute) }()
	desk.Until(t, "held key", func() bool { mask, err := keymap(d); return err == nil && mask })
	if err := d.CloseWindow(t.Context(), first.ID, true); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Activate(t.Context(), second.ID); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Receive(t, "the hold of the key ends", held); !errors.Is(err, errSecond) {
		t.Errorf("the key was held to the end: %v", err)
	}
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	keys := open(t, nil)
	go func() { held <- keys.Key(ctx, "b", time.Minute) }()
	press, presses, late := "", 0, time.After(30*time.Second)
	for presses < 3 { // a held key repeats
		select {
		case line := <-lines:
			if !strings.HasPrefix(line, " ") {
				press = line
			}
			switch {
			case !strings.HasPrefix(press, "KeyPress"):
			case strings.Contains(line, ", a)"):
				t.Errorf("the next window received %s %s", press, line)
			case strings.Contains(line, ", b)"):
				presses++
			}
		case <-late:
			t.Fatalf("b was pressed %d times", presses)
		}
	}
	enough()
	if err := waittest.Receive(t, "the hold of the key ends", held); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r, err := xproto.GetKeyboardControl(d.Conn().X).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{38, 56} { // a and b on a usual keyboard
		if r.AutoRepeats[code/8]&(1<<(code%8)) == 0 {
			t.Errorf("the keyboard does not repeat the key %d any more", code)
		}
	}
}

// keymap reports whether any key is held.
func keymap(d *x11.Desktop) (bool, error) {
	r, err := xproto.QueryKeymap(d.Conn().X).Reply()
	if err != nil {
		return false, err
	}
	for _, b := range r.Keys {
		if b != 0 {
			return true, nil
		}
	}
	return false, nil
}
