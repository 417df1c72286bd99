// Package halt shows on an X11 desktop that goated is acting, and lets the user stop it with a key.
// While a [Sign] exists, that key reaches goated and no other program.
//
// The package owns a connection, the grab of the key, and the window of the sign. The sign lets clicks
// through. Screenshots omit it because its process is goated's. The package must not depend on the
// actions that it stops.
package halt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// Class is the window class of the sign.
const Class = "goated-sign"

// A combination is a key combination that stops goated.
type combination struct {
	name string // in ASCII, which every font of the X server contains
	mask uint16
}

// combinations are tried in this order, because the desktop or another goated may have grabbed the
// first ones.
var combinations = [...]combination{
	{"Ctrl+Alt+Esc", xproto.ModMaskControl | xproto.ModMask1},
	{"Ctrl+Super+Esc", xproto.ModMaskControl | xproto.ModMask4},
	{"Ctrl+Alt+Shift+Esc", xproto.ModMaskControl | xproto.ModMask1 | xproto.ModMaskShift},
	{"Ctrl+Super+Shift+Esc", xproto.ModMaskControl | xproto.ModMask4 | xproto.ModMaskShift},
}

// Options configure a [Sign].
type Options struct {
	Display   string
	Authority string

	// Halt is called on one goroutine when the user presses the key combination. It must not block.
	Halt func()
}

// A Sign is the window that shows that goated is acting, together with the key that stops it. Its
// methods are safe for concurrent use.
type Sign struct {
	c      *wire.Conn
	window xproto.Window
	gc     xproto.Gcontext
	key    string // the name of the grabbed combination
	mask   uint16 // its modifiers
	code   xproto.Keycode
	words  string
	width  int
	halt   func()
	wake   chan struct{} // Watch was called
	work   sync.WaitGroup

	mu    sync.Mutex
	show  visibility
	until time.Time // until when the keys are polled
	down  bool      // the combination is held
}

// A visibility describes whether the window of a sign is mapped, and until when.
type visibility struct {
	actions int         // how many are running
	hiding  *time.Timer // hides the sign a while after the last action; nil before the first
	quick   bool        // hide the sign when the last action ends
	closed  bool
}

// ErrKey means that other programs have grabbed all combinations.
var ErrKey = errors.New("other programs use Ctrl+Alt+Escape and the keys that replace it, so none could stop goated")

const (
	height   = 26
	margin   = 12
	color    = 0xb3261e
	textIs   = 0xffffff
	baseline = 18
)

// New grabs the key and prepares the sign. It does not show the sign yet.
func New(ctx context.Context, o Options) (*Sign, error) {
	s := &Sign{halt: o.Halt, wake: make(chan struct{}, 1)}
	ready := make(chan struct{})
	handle := func(e wire.Event) {
		<-ready
		switch e := e.Core.(type) {
		case xproto.KeyPressEvent:
			s.press(true)
		case xproto.KeyReleaseEvent:
			s.press(false)
		case xproto.ExposeEvent:
			s.draw()
		case xproto.VisibilityNotifyEvent:
			if e.State != xproto.VisibilityUnobscured {
				xproto.ConfigureWindow(s.c.X, s.window, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
			}
		}
	}
	c, err := wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Handle: handle, Extensions: []string{"SHAPE", "RANDR"}})
	if err != nil {
		return nil, err
	}
	s.c = c
	if err = s.grab(); err == nil {
		s.words = "goated is using the desktop - " + s.key + " stops it"
		err = s.create()
	}
	close(ready)
	if err != nil {
		c.Close()
		return nil, err
	}
	s.work.Go(s.follow)
	return s, nil
}

// create creates the window of the sign.
func (s *Sign) create() error {
	var err error
	if s.window, err = xproto.NewWindowId(s.c.X); err != nil {
		return wire.Gone(err)
	}
	if s.gc, err = xproto.NewGcontextId(s.c.X); err != nil {
		return wire.Gone(err)
	}
	font, err := xproto.NewFontId(s.c.X)
	if err != nil {
		return wire.Gone(err)
	}
	found := false
	for _, name := range []string{"9x15bold", "fixed"} {
		if xproto.OpenFontChecked(s.c.X, font, uint16(len(name)), name).Check() == nil {
			found = true
			break
		}
	}
	if !found {
		font = 0 // without fonts the sign is shown without words
	}
	s.width = 2*margin + 9*len(s.words)
	if font != 0 {
		chars := make([]xproto.Char2b, len(s.words))
		for i := range s.words {
			chars[i] = xproto.Char2b{Byte2: s.words[i]}
		}
		if r, err := xproto.QueryTextExtents(s.c.X, xproto.Fontable(font), chars, uint16(len(s.words))).Reply(); err == nil {
			s.width = 2*margin + int(r.OverallWidth)
		}
	}
	err = xproto.CreateWindowChecked(s.c.X, s.c.Screen.RootDepth, s.window, s.c.Root, 0, 0, uint16(s.width), height, 0,
		xproto.WindowClassInputOutput, s.c.Screen.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask,
		[]uint32{color, 1, xproto.EventMaskExposure | xproto.EventMaskVisibilityChange}).Check()
	if err != nil {
		return fmt.Errorf("making the sign: %w", wire.Gone(err))
	}
	values := []uint32{textIs, color}
	mask := uint32(xproto.GcForeground | xproto.GcBackground)
	if font != 0 {
		mask, values = mask|xproto.GcFont, append(values, uint32(font))
	}
	xproto.CreateGC(s.c.X, s.gc, xproto.Drawable(s.window), mask, values)
	property := func(name string, kind xproto.Atom, format byte, data []byte) {
		xproto.ChangeProperty(s.c.X, xproto.PropModeReplace, s.window, s.c.Atom(name), kind, format, uint32(len(data)*8/int(format)), data)
	}
	property("_NET_WM_NAME", s.c.Atom("UTF8_STRING"), 8, []byte(s.words))
	property("WM_CLASS", xproto.AtomString, 8, []byte(Class+"\x00"+Class+"\x00"))
	pid := uint32(os.Getpid())
	property("_NET_WM_PID", xproto.AtomCardinal, 32, []byte{byte(pid), byte(pid >> 8), byte(pid >> 16), byte(pid >> 24)})
	if s.c.Has("SHAPE") { // clicks pass through
		shape.Rectangles(s.c.X, shape.SoSet, shape.SkInput, 0, s.window, 0, 0, nil)
	}
	return s.c.Sync()
}

// Key returns the name of the combination that stops goated, such as "Ctrl+Alt+Esc".
func (s *Sign) Key() string { return s.key }

// grab grabs the first free combination, for every state of Caps Lock and Num Lock.
func (s *Sign) grab() error {
	const escape = 0xff1b
	first := s.c.Setup.MinKeycode
	m, err := xproto.GetKeyboardMapping(s.c.X, first, byte(s.c.Setup.MaxKeycode-first+1)).Reply()
	if err != nil {
		return wire.Gone(err)
	}
	at := slices.Index(m.Keysyms, escape)
	if at < 0 {
		return fmt.Errorf("%w: the keyboard has no Escape", ErrKey)
	}
	code := first + xproto.Keycode(at/int(m.KeysymsPerKeycode))
	locks := []uint16{0, xproto.ModMaskLock, xproto.ModMask2, xproto.ModMaskLock | xproto.ModMask2}
next:
	for _, k := range combinations {
		for i, l := range locks {
			err := xproto.GrabKeyChecked(s.c.X, false, s.c.Root, k.mask|l, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
			if errors.Is(wire.Gone(err), wire.ErrGone) {
				return wire.ErrGone
			}
			if err != nil {
				for _, taken := range locks[:i] {
					xproto.UngrabKey(s.c.X, code, s.c.Root, k.mask|taken)
				}
				continue next
			}
		}
		s.key, s.mask, s.code = k.name, k.mask, code
		return nil
	}
	return ErrKey
}

// draw draws the words.
func (s *Sign) draw() {
	xproto.ImageText8(s.c.X, byte(len(s.words)), xproto.Drawable(s.window), s.gc, margin, baseline, s.words)
}

// linger is how long the sign stays after the last action. Most actions take milliseconds, which is too
// short for a sign to be seen.
const linger = 2 * time.Second

// Show shows the sign. The sign is hidden shortly after the caller calls the returned function.
// Concurrent actions share one sign. Show also calls Watch.
func (s *Sign) Show() (done func()) {
	s.Watch()
	x, y := s.place() // before the lock, because Hide and Close need the lock while the server hangs
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.show.hiding != nil {
		s.show.hiding.Stop()
	}
	s.show.quick = false
	if s.show.actions++; s.show.actions == 1 {
		xproto.ConfigureWindow(s.c.X, s.window, xproto.ConfigWindowX|xproto.ConfigWindowY|xproto.ConfigWindowStackMode, []uint32{uint32(int32(x)), uint32(int32(y)), xproto.StackModeAbove})
		xproto.MapWindow(s.c.X, s.window)
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch s.show.actions--; {
		case s.show.actions > 0 || s.show.closed:
		case s.show.quick:
			xproto.UnmapWindow(s.c.X, s.window)
		default:
			s.show.hiding = time.AfterFunc(linger, s.Hide)
		}
	})
}

// Hide hides the sign at once, or when the running actions end.
func (s *Sign) Hide() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show.quick = true
	if s.show.actions == 0 && !s.show.closed {
		xproto.UnmapWindow(s.c.X, s.window)
	}
}

// place returns the middle of the upper edge of the main display. The middle of all displays together
// may lie between two of them, or outside all of them.
func (s *Sign) place() (x, y int) {
	all, err := wire.Monitors(s.c)
	if err != nil {
		return 0, 0 // the connection is ending
	}
	m := all[0]
	return m.X + max(0, (m.W-s.width)/2), m.Y
}

// Close removes the sign, releases the key and ends the connection.
func (s *Sign) Close() {
	s.mu.Lock()
	s.show.closed = true
	if s.show.hiding != nil {
		s.show.hiding.Stop()
	}
	s.mu.Unlock()
	s.c.Close()
	s.work.Wait()
}
