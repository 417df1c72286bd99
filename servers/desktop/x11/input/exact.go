package input

import (
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/wire"
)

// attempts is how often a press is tried while windows open and close below the pointer.
const attempts = 5

// keysHold is how long the guard's answer about keys stays valid for the same window, because a text
// consists of many keys.
const keysHold = 50 * time.Millisecond

// A place determines where a press goes.
type place struct {
	window xproto.Window // the window that receives the press
	x, y   int16         // the position of the pointer, for a button
}

// exactly sends a press to the place that the guard allowed. If a window closed between the guard's
// answer and the press, the press would reach the window below, which may be goated's question to the
// user. So exactly grabs the server during the press, so that no other program can change the windows.
// If the place has changed, it asks the guard again.
//
// keep is how long an answer stays valid while the place remains the same.
func (s *sequence) exactly(look func() (place, error), ask, send func() error, keep time.Duration) error {
	for range attempts {
		if s.allowed.window == 0 || time.Since(s.asked) >= keep {
			s.allowed = place{}
			now, err := look()
			if err != nil {
				return err
			}
			if err := ask(); err != nil {
				return err
			}
			s.allowed, s.asked = now, time.Now()
		}
		done, err := s.sent(look, send)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: windows open and close too fast here to press the right one", x11.ErrRefused)
}

// sent sends a press unless the place has changed since the guard allowed it.
func (s *sequence) sent(look func() (place, error), send func() error) (bool, error) {
	xproto.GrabServer(s.in.c.X)
	defer xproto.UngrabServer(s.in.c.X)
	now, err := look()
	if err != nil || now != s.allowed {
		s.allowed = place{}
		return false, err
	}
	return true, send()
}

// errMoved means that nothing was pressed because the pointer moved.
var errMoved = fmt.Errorf("%w: the pointer does not stay where it was put: somebody else moves it", x11.ErrRefused)

// under returns the place that a button reaches: the window below the pointer. The pointer must be
// where it was put.
func (s *sequence) under() (place, error) {
	p, err := s.below()
	if err == nil && (int(p.x) != s.x || int(p.y) != s.y) {
		err = errMoved
	}
	return p, err
}

func (s *sequence) below() (place, error) {
	r, err := xproto.QueryPointer(s.in.c.X, s.in.c.Root).Reply()
	if err != nil {
		return place{}, wire.Gone(err)
	}
	return place{r.Child, r.RootX, r.RootY}, nil
}

// receiver returns the place that a key reaches: the window with the keyboard focus or, if there is
// none, the window below the pointer.
func (s *sequence) receiver() (place, error) {
	r, err := xproto.GetInputFocus(s.in.c.X).Reply()
	if err != nil {
		return place{}, wire.Gone(err)
	}
	if r.Focus <= xproto.InputFocusPointerRoot {
		return s.below()
	}
	return place{window: r.Focus}, nil
}
