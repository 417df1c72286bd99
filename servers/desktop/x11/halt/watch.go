package halt

import (
	"time"

	"github.com/jezek/xgb/xproto"
)

const (
	// glance is the interval at which the keys are polled.
	glance = 25 * time.Millisecond
	// alert is how long the keys are polled after an action.
	alert = time.Minute
)

// Watch polls the state of the keys for the next minute. Grabbing the key is not enough: a program with
// an open menu has grabbed the keyboard, and the X server reports the key only to that program. Call
// Watch before each action.
func (s *Sign) Watch() {
	s.mu.Lock()
	s.until = time.Now().Add(alert)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// follow polls the keys after each call of Watch, until the connection ends.
func (s *Sign) follow() {
	for {
		select {
		case <-s.wake:
		case <-s.c.Gone():
			return
		}
		s.look()
	}
}

func (s *Sign) look() {
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for s.alert() {
		down, err := s.pressed()
		if err != nil {
			return
		}
		s.press(down)
		select {
		case <-tick.C:
		case <-s.c.Gone():
			return
		}
	}
}

func (s *Sign) alert() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.show.actions > 0 || time.Now().Before(s.until)
}

// pressed reports whether the combination is held.
func (s *Sign) pressed() (bool, error) {
	keys, pointer := xproto.QueryKeymap(s.c.X), xproto.QueryPointer(s.c.X, s.c.Root)
	k, err := keys.Reply()
	if err != nil {
		return false, err
	}
	p, err := pointer.Reply()
	if err != nil {
		return false, err
	}
	const modifiers = xproto.ModMaskShift | xproto.ModMaskControl | xproto.ModMask1 | xproto.ModMask4
	return k.Keys[s.code/8]&(1<<(s.code%8)) != 0 && p.Mask&modifiers == s.mask, nil
}

// press records whether the combination is held, and calls halt once for each press.
func (s *Sign) press(down bool) {
	s.mu.Lock()
	begins := down && !s.down
	s.down = down
	s.mu.Unlock()
	if begins {
		s.halt()
	}
}
