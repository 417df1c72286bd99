package input

import (
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

const (
	// repeatAfter is how long a key is held before it repeats. repeatEvery is the time between two
	// repeats. They are the defaults of an X server.
	repeatAfter = 500 * time.Millisecond
	repeatEvery = 40 * time.Millisecond
)

// hold holds a key for a duration, and repeats it like a keyboard. The server must not repeat it,
// because it would send the repeats to whatever window gets the focus in the meantime. Instead, each
// repeat is a press that the guard allows.
func (s *sequence) hold(code xproto.Keycode, d time.Duration) error {
	repeats, err := s.still(code)
	if err != nil {
		return err
	}
	if repeats {
		defer s.repeat(code, xproto.AutoRepeatModeOn)
	}
	if err := s.down(code); err != nil {
		return err
	}
	end, next := time.Now().Add(d), d
	if repeats {
		next = min(repeatAfter, d)
	}
	for {
		err := s.pause(next)
		s.release()
		left := time.Until(end)
		if err != nil || left <= 0 {
			return err
		}
		next = min(repeatEvery, left)
		if err := s.down(code); err != nil {
			return err
		}
	}
}

// still stops the server from repeating a key, and reports whether the server would have done so.
func (s *sequence) still(code xproto.Keycode) (repeats bool, err error) {
	r, err := xproto.GetKeyboardControl(s.in.c.X).Reply()
	if err != nil {
		return false, wire.Gone(err)
	}
	if r.GlobalAutoRepeat == xproto.AutoRepeatModeOff || r.AutoRepeats[code/8]&(1<<(code%8)) == 0 {
		return false, nil
	}
	s.repeat(code, xproto.AutoRepeatModeOff)
	return true, s.in.c.Sync()
}

// repeat sets whether the server repeats a key.
func (s *sequence) repeat(code xproto.Keycode, mode uint32) {
	xproto.ChangeKeyboardControl(s.in.c.X, xproto.KbKey|xproto.KbAutoRepeatMode, []uint32{uint32(code), mode})
}
