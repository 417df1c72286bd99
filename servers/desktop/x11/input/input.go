// Package input moves the mouse pointer, presses buttons and keys, and types text on an X11 desktop. It
// uses the XTEST extension. Before each press it asks a [Guard] whether the press would reach the right
// window. It releases everything that it holds when a sequence ends, even if the sequence ends by a
// cancelled context or a panic.
//
// The package owns a connection, the buttons and keys that it holds, and the keycodes that it lends to
// characters that the keyboard lacks. It must not depend on the contents of windows.
package input

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/wire"
)

// Most errors of this package wrap one of these, an error of package x11, or an error of the guard.
var (
	ErrKey  = errors.New("the keyboard cannot do it")
	ErrHeld = errors.New("you hold a modifier key")
)

// A Guard allows or refuses each press. Its methods are called by one goroutine at a time.
type Guard interface {
	// Point is called before the pointer moves to a point, or the wheel is turned there.
	Point(ctx context.Context, x, y int) error
	// Press is called before a button is pressed at a point, and before it is released there.
	Press(ctx context.Context, x, y int) error
	// Drop is called instead of Press before the middle button is pressed at a point, which pastes, and
	// before a drag ends there, which drops.
	Drop(ctx context.Context, x, y int) error
	// Keys is called before a key is pressed. Its answer also applies to further keys of the same
	// sequence, for 50 ms and as long as the same window has the keyboard focus.
	Keys(ctx context.Context) error
}

// Options configure an [Input].
type Options struct {
	Display   string
	Authority string
	Guard     Guard // nil allows everything
}

// A Button is a button of the mouse.
type Button byte

// The mouse buttons. The wheel has buttons, too.
const (
	Left Button = 1 + iota
	Middle
	Right
	wheelUp
	wheelDown
	wheelLeft
	wheelRight
)

// An Input controls the mouse and the keyboard. Its methods are safe for concurrent use. One sequence
// runs at a time.
type Input struct {
	c     *wire.Conn
	guard Guard
	turn  chan struct{} // holds a token during a sequence

	mu      sync.Mutex
	buttons map[Button][2]int // buttons held beyond their sequence, and where they were pressed
	primed  bool              // the keyboard of XTEST is in use
	pongs   chan uint32       // timestamps of answered pings
}

// free is a Guard that allows everything.
type free struct{}

func (free) Point(context.Context, int, int) error { return nil }
func (free) Press(context.Context, int, int) error { return nil }
func (free) Drop(context.Context, int, int) error  { return nil }
func (free) Keys(context.Context) error            { return nil }

// New connects to the mouse and the keyboard of a display.
func New(ctx context.Context, o Options) (*Input, error) {
	in := &Input{guard: o.Guard, turn: make(chan struct{}, 1), buttons: make(map[Button][2]int), pongs: make(chan uint32, 16)}
	if in.guard == nil {
		in.guard = free{}
	}
	var ping atomic.Uint32
	handle := func(e wire.Event) {
		m, ok := e.Core.(xproto.ClientMessageEvent)
		if ok && m.Format == 32 && m.Data.Data32[0] == ping.Load() {
			select {
			case in.pongs <- m.Data.Data32[1]:
			default:
			}
		}
	}
	c, err := wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Extensions: []string{"XTEST", xkb}, Handle: handle})
	if err != nil {
		return nil, err
	}
	if !c.Has("XTEST") {
		c.Close()
		return nil, fmt.Errorf("%w: its X server has no XTEST extension, which mouse and keyboard need", x11.ErrUnsupported)
	}
	if err := c.Intern("_NET_WM_PING", "WM_PROTOCOLS"); err != nil {
		c.Close()
		return nil, err
	}
	ping.Store(uint32(c.Atom("_NET_WM_PING")))
	in.c = c
	if err := in.useXKB(); err != nil {
		c.Close()
		return nil, err
	}
	xproto.ChangeWindowAttributes(c.X, c.Root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureNotify})
	xtest.GrabControl(c.X, true) // act while another program grabs the server
	return in, c.Sync()
}

// Close releases the buttons that are held and ends the connection.
func (in *Input) Close() {
	in.Release()
	in.c.Close()
}

// answering is how long Release waits for the server. A server that hangs releases the buttons when it
// continues.
const answering = 100 * time.Millisecond

// Release releases the buttons that ButtonDown left pressed, where they were pressed: elsewhere it would
// drop what they drag.
func (in *Input) Release() {
	in.mu.Lock()
	held := maps.Clone(in.buttons)
	clear(in.buttons)
	in.mu.Unlock()
	for b, start := range held {
		in.returnTo(start)
		xtest.FakeInput(in.c.X, xproto.ButtonRelease, byte(b), 0, in.c.Root, 0, 0, 0)
	}
	in.c.Answers(answering)
}

// Abort ends the connection to a server that hangs, so that pending calls fail. Call Close as well.
func (in *Input) Abort() { in.c.Abort() }

// A sequence is a series of inputs that no other input interrupts.
type sequence struct {
	in   *Input
	ctx  context.Context
	held []held // in the order in which they were pressed
	x, y int    // where the pointer was put last

	allowed place     // the place that the guard allowed last; no window if none
	asked   time.Time // when the guard allowed it

	caps bool // Caps Lock was on, and is turned on again at the end
}

type held struct {
	kind   byte // ButtonRelease or KeyRelease
	detail byte
}

// do runs f as a sequence, after the previous sequence has ended.
func (in *Input) do(ctx context.Context, f func(*sequence) error) (err error) {
	select {
	case in.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-in.c.Gone():
		return wire.ErrGone
	}
	s := &sequence{in: in, ctx: ctx}
	defer func() {
		s.releaseAll()
		if s.caps {
			_ = in.lockCaps(true) // fails only if the connection ends
		}
		if gone := in.processed(); err == nil {
			err = gone
		}
		<-in.turn
	}()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return f(s)
}

// late is how long the server may hold back events. A window manager freezes the pointer while it
// examines a click.
const late = 250 * time.Millisecond

// processed waits until the server has processed the events, so that only the buttons of ButtonDown are
// still pressed. It gives up after [late], because the user may hold a button.
func (in *Input) processed() error {
	if err := in.c.Sync(); err != nil {
		return err
	}
	var want uint16
	in.mu.Lock()
	for b := range in.buttons {
		want |= xproto.KeyButMaskButton1 << (b - 1)
	}
	in.mu.Unlock()
	const all = xproto.KeyButMaskButton1 | xproto.KeyButMaskButton2 | xproto.KeyButMaskButton3 | xproto.KeyButMaskButton4 | xproto.KeyButMaskButton5
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(late); time.Now().Before(end); <-tick.C {
		r, err := xproto.QueryPointer(in.c.X, in.c.Root).Reply()
		if err != nil {
			return wire.Gone(err)
		}
		if r.Mask&all == want {
			return nil
		}
	}
	return nil
}

// fake sends one fake event.
func (s *sequence) fake(kind, detail byte, x, y int) error {
	if err := context.Cause(s.ctx); err != nil {
		return err
	}
	xtest.FakeInput(s.in.c.X, kind, detail, 0, s.in.c.Root, int16(x), int16(y), 0)
	return nil
}

// press presses a button and holds it until release or the end of the sequence.
func (s *sequence) press(b Button) error {
	ask := s.in.guard.Press
	switch {
	case b >= wheelUp:
		ask = s.in.guard.Point
	case b == Middle:
		ask = s.in.guard.Drop
	}
	press := func() error { return s.fake(xproto.ButtonPress, byte(b), 0, 0) }
	err := s.exactly(s.under, func() error { return ask(s.ctx, s.x, s.y) }, press, 0)
	for end := time.Now().Add(late); errors.Is(err, errMoved) && time.Now().Before(end); {
		if err = s.fake(xproto.MotionNotify, 0, s.x, s.y); err == nil {
			err = s.pause(time.Millisecond)
		}
		if err == nil {
			err = s.exactly(s.under, func() error { return ask(s.ctx, s.x, s.y) }, press, 0)
		}
	}
	if err != nil {
		return err
	}
	s.held = append(s.held, held{xproto.ButtonRelease, byte(b)})
	return nil
}

// down presses a key and holds it until release or the end of the sequence.
func (s *sequence) down(code xproto.Keycode) error {
	err := s.exactly(s.receiver, func() error { return s.in.guard.Keys(s.ctx) }, func() error { return s.fake(xproto.KeyPress, byte(code), 0, 0) }, keysHold)
	if err != nil {
		return err
	}
	s.held = append(s.held, held{xproto.KeyRelease, byte(code)})
	return nil
}

// release releases what was pressed last, even if the context has ended.
func (s *sequence) release() {
	h := s.held[len(s.held)-1]
	s.held = s.held[:len(s.held)-1]
	xtest.FakeInput(s.in.c.X, h.kind, h.detail, 0, s.in.c.Root, 0, 0, 0)
}

func (s *sequence) releaseAll() {
	for len(s.held) > 0 {
		s.release()
	}
}

func (s *sequence) pause(d time.Duration) error { return s.in.c.Pause(s.ctx, d) }

// frame is the time between two positions of a moving pointer.
const frame = 8 * time.Millisecond

// dragging reports whether ButtonDown left a button pressed.
func (in *Input) dragging() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.buttons) > 0
}

// landing asks the guard whether the buttons that ButtonDown left pressed may be released at a point.
// If they were pressed elsewhere, the release ends a drag.
func (in *Input) landing(ctx context.Context, x, y int) error {
	in.mu.Lock()
	ask := in.guard.Press
	for _, from := range in.buttons {
		if from != [2]int{x, y} {
			ask = in.guard.Drop
		}
	}
	in.mu.Unlock()
	return ask(ctx, x, y)
}

// moveTo moves the pointer to a point, gradually if d is positive.
func (s *sequence) moveTo(x, y int, d time.Duration) error {
	g, err := xproto.GetGeometry(s.in.c.X, xproto.Drawable(s.in.c.Root)).Reply()
	if err != nil {
		return wire.Gone(err)
	}
	if x < 0 || y < 0 || x >= int(g.Width) || y >= int(g.Height) {
		return fmt.Errorf("%w: the point %d, %d is outside the screen of %d × %d", x11.ErrRefused, x, y, g.Width, g.Height)
	}
	if s.in.dragging() { // releasing everything, as a halt does, would drop there
		if err := s.in.landing(s.ctx, x, y); err != nil {
			return err
		}
	}
	if d > 0 {
		from, err := xproto.QueryPointer(s.in.c.X, s.in.c.Root).Reply()
		if err != nil {
			return wire.Gone(err)
		}
		steps := int(d / frame)
		for i := 1; i < steps; i++ {
			t := float64(i) / float64(steps)
			ease := t * t * (3 - 2*t)
			px := float64(from.RootX) + ease*float64(x-int(from.RootX))
			py := float64(from.RootY) + ease*float64(y-int(from.RootY))
			if err := s.fake(xproto.MotionNotify, 0, int(math.Round(px)), int(math.Round(py))); err != nil {
				return err
			}
			if err := s.pause(d / time.Duration(steps)); err != nil {
				return err
			}
		}
	}
	s.x, s.y = x, y
	return s.fake(xproto.MotionNotify, 0, x, y)
}
