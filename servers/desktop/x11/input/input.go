// Package input moves the pointer, presses buttons and keys, and types text on an X11
// desktop, with the XTEST extension. Before each press it asks a guard whether the window
// that would receive it is the right one. Everything that is held is released when a
// sequence ends, also by a cancelled context or a panic.
//
// The package owns a connection, the buttons and keys that it holds, and the keycodes that
// it lends to characters which the keyboard lacks. It must not know of windows' contents.
package input

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/wire"
)

// The errors of this package wrap one of these, or an error of the guard.
var (
	ErrKey  = errors.New("the keyboard cannot do it")
	ErrHeld = errors.New("you hold a modifier key")
)

// A Guard decides about each press. Its methods are called by one goroutine at a time.
type Guard interface {
	// Point is called before the pointer is put to a point, or a wheel is turned there.
	Point(ctx context.Context, x, y int) error
	// Press is called before a button is pressed at a point, and before it is released there.
	Press(ctx context.Context, x, y int) error
	// Drop is called in place of Press before the middle button is pressed at a point, which pastes,
	// or a drag ends there, which drops.
	Drop(ctx context.Context, x, y int) error
	// Keys is called before a key. Its answer holds for further keys of the same sequence, for
	// 50 ms and while the same window has the keys.
	Keys(ctx context.Context) error
}

// Options of an input.
type Options struct {
	Display   string
	Authority string
	Guard     Guard // nil: everything is allowed
}

// A Button is a button of the mouse.
type Button byte

// The buttons of the mouse; the wheel has buttons too.
const (
	Left Button = 1 + iota
	Middle
	Right
	wheelUp
	wheelDown
	wheelLeft
	wheelRight
)

// An Input is the mouse and the keyboard. Its methods can be called concurrently; one
// sequence runs at a time.
type Input struct {
	c     *wire.Conn
	guard Guard
	turn  chan struct{} // holds a token while a sequence runs

	mu      sync.Mutex
	buttons map[Button][2]int // held beyond a sequence, and where they were pressed
	primed  bool              // the keyboard of XTEST is in use
	pongs   chan uint32       // times of answered pings
}

// free is a guard that allows everything.
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

// Close releases what is held and ends the connection.
func (in *Input) Close() {
	in.Release()
	in.c.Close()
}

// answering is how long Release waits for the server. One that hangs releases the buttons when
// it goes on.
const answering = 100 * time.Millisecond

// Release releases the buttons that ButtonDown left pressed.
func (in *Input) Release() {
	in.mu.Lock()
	held := slices.Collect(maps.Keys(in.buttons))
	clear(in.buttons)
	in.mu.Unlock()
	for _, b := range held {
		xtest.FakeInput(in.c.X, xproto.ButtonRelease, byte(b), 0, in.c.Root, 0, 0, 0)
	}
	in.c.Answers(answering)
}

// Abort ends the connection to a server that hangs, so that what waits for it fails. Call Close
// as well.
func (in *Input) Abort() { in.c.Abort() }

// A sequence is what runs without another input in between.
type sequence struct {
	in   *Input
	ctx  context.Context
	held []held // in the order of their presses
	x, y int    // where the pointer was put

	allowed place     // that the guard allowed last; no window: none
	asked   time.Time // when

	caps bool // Caps Lock is off until the end of the sequence only
}

type held struct {
	kind   byte // ButtonRelease or KeyRelease
	detail byte
}

// do runs a sequence when the one before has ended.
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
			_ = in.lockCaps(true) // fails only at the end of the display
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

// late is how long the server may hold events back: a window manager freezes the pointer
// while it looks at a click.
const late = 250 * time.Millisecond

// processed waits until the server has processed the events, so that only the buttons of
// ButtonDown are still pressed. The user may hold a button, so it does not wait for long.
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

// fake sends one event.
func (s *sequence) fake(kind, detail byte, x, y int) error {
	if err := context.Cause(s.ctx); err != nil {
		return err
	}
	xtest.FakeInput(s.in.c.X, kind, detail, 0, s.in.c.Root, int16(x), int16(y), 0)
	return nil
}

// press holds a button until release or the end of the sequence.
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

// down holds a key until release or the end of the sequence.
func (s *sequence) down(code xproto.Keycode) error {
	err := s.exactly(s.receiver, func() error { return s.in.guard.Keys(s.ctx) }, func() error { return s.fake(xproto.KeyPress, byte(code), 0, 0) }, keysHold)
	if err != nil {
		return err
	}
	s.held = append(s.held, held{xproto.KeyRelease, byte(code)})
	return nil
}

// release releases what was pressed last, whatever the context says.
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
// Away from where they were pressed that is the end of a drag.
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

// moveTo moves the pointer, in steps if a duration is given.
func (s *sequence) moveTo(x, y int, d time.Duration) error {
	g, err := xproto.GetGeometry(s.in.c.X, xproto.Drawable(s.in.c.Root)).Reply()
	if err != nil {
		return wire.Gone(err)
	}
	if x < 0 || y < 0 || x >= int(g.Width) || y >= int(g.Height) {
		return fmt.Errorf("%w: the point %d, %d is outside the screen of %d × %d", x11.ErrRefused, x, y, g.Width, g.Height)
	}
	if s.in.dragging() { // a release of everything, such as a halt, would drop there
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
