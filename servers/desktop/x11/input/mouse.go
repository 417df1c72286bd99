package input

import (
	"context"
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"goated/servers/desktop/x11"
)

// Move moves the pointer to a point, either at once or within a duration.
func (in *Input) Move(ctx context.Context, x, y int, d time.Duration) error {
	return in.do(ctx, func(s *sequence) error {
		if err := in.guard.Point(ctx, x, y); err != nil {
			return err
		}
		return s.moveTo(x, y, d)
	})
}

// Hover moves the pointer to a point and leaves it there for a duration. No other call moves it in the
// meantime.
func (in *Input) Hover(ctx context.Context, x, y int, d time.Duration) error {
	return in.do(ctx, func(s *sequence) error {
		if err := in.guard.Point(ctx, x, y); err != nil {
			return err
		}
		if err := s.moveTo(x, y, 0); err != nil {
			return err
		}
		return s.pause(d)
	})
}

const (
	maxClicks = 10
	maxWheel  = 200 // notches of one call
)

// Click clicks count times at a point.
func (in *Input) Click(ctx context.Context, x, y int, b Button, count int, modifiers ...Modifier) error {
	if count < 1 || count > maxClicks {
		return fmt.Errorf("%w: a click count of %d; it is between 1 and %d", x11.ErrRefused, count, maxClicks)
	}
	return in.do(ctx, func(s *sequence) error {
		if err := s.moveTo(x, y, 0); err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		for range count {
			if err := s.press(b); err != nil {
				return err
			}
			s.release()
			// Before the next press, wait briefly until the window manager has released the previous
			// one. A press that comes too early can freeze the pointer for good.
			if err := in.processed(); err != nil {
				return err
			}
		}
		return nil
	})
}

// ButtonDown presses a button and leaves it pressed until ButtonUp, Release or Close.
func (in *Input) ButtonDown(ctx context.Context, x, y int, b Button, modifiers ...Modifier) error {
	return in.do(ctx, func(s *sequence) error {
		if err := s.moveTo(x, y, 0); err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		if err := s.press(b); err != nil {
			return err
		}
		s.held = s.held[:len(s.held)-1]
		in.mu.Lock()
		in.buttons[b] = [2]int{x, y}
		in.mu.Unlock()
		return nil
	})
}

// ButtonUp moves to a point and releases a button that ButtonDown pressed. It holds modifiers because
// programs check them at the end of a drag: Control makes it copy.
func (in *Input) ButtonUp(ctx context.Context, x, y int, b Button, modifiers ...Modifier) error {
	return in.do(ctx, func(s *sequence) error {
		in.mu.Lock()
		_, pressed := in.buttons[b]
		in.mu.Unlock()
		if !pressed {
			return fmt.Errorf("%w: button %d is not pressed", x11.ErrRefused, b)
		}
		if err := in.landing(ctx, x, y); err != nil {
			return err
		}
		if err := s.moveTo(x, y, 0); err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		in.mu.Lock()
		delete(in.buttons, b)
		in.mu.Unlock()
		xtest.FakeInput(in.c.X, xproto.ButtonRelease, byte(b), 0, in.c.Root, 0, 0, 0)
		return in.processed() // before the modifiers are released: a window manager may delay the release
	})
}

// shortestDrag is the minimum duration of a drag, because programs ignore a jump.
const shortestDrag = 100 * time.Millisecond

// Drag presses a button at the first point, moves along the path, and releases the button at the last
// point. If it fails on the way, such as at a halt, the pointer returns to the first point before the
// release.
func (in *Input) Drag(ctx context.Context, path [][2]int, d time.Duration, b Button, modifiers ...Modifier) error {
	if len(path) < 2 {
		return fmt.Errorf("%w: a drag needs a start and an end", x11.ErrRefused)
	}
	d = max(d, shortestDrag)
	return in.do(ctx, func(s *sequence) error {
		last := path[len(path)-1]
		if err := in.guard.Drop(ctx, last[0], last[1]); err != nil {
			return err
		}
		if err := s.moveTo(path[0][0], path[0][1], 0); err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		if err := s.press(b); err != nil {
			return err
		}
		err := s.dragAlong(path[1:], d)
		if err != nil {
			s.returnTo(path[0])
		}
		return err
	})
}

// dragAlong moves along a path. At the end it checks whether the button may be released there.
func (s *sequence) dragAlong(path [][2]int, d time.Duration) error {
	for _, p := range path {
		if err := s.moveTo(p[0], p[1], d/time.Duration(len(path))); err != nil {
			return err
		}
	}
	if err := s.pause(2 * frame); err != nil { // programs check the last position
		return err
	}
	last := path[len(path)-1]
	return s.in.guard.Drop(s.ctx, last[0], last[1])
}

// returnTo moves the pointer back to where a drag began, so that its end changes nothing, even if the
// context has ended. It releases the modifiers first, because with Control the drop would copy. Escape would
// end the drag of a file, but also close a dialog or clear a field.
func (s *sequence) returnTo(start [2]int) {
	button := s.held[len(s.held)-1]
	s.held = s.held[:len(s.held)-1]
	s.releaseAll()
	s.held = append(s.held, button)
	s.in.returnTo(start)
}

// returnTo moves the pointer to a point, and waits until programs have noticed.
func (in *Input) returnTo(start [2]int) {
	move := func() {
		xtest.FakeInput(in.c.X, xproto.MotionNotify, 0, 0, in.c.Root, int16(start[0]), int16(start[1]), 0)
	}
	move()
	_ = in.c.Pause(context.Background(), 2*frame)
	move() // the user may have moved it
}

// Scroll turns the wheel at a point. Positive notches scroll up and right. d spreads the notches over
// time.
func (in *Input) Scroll(ctx context.Context, x, y, horizontal, vertical int, d time.Duration, modifiers ...Modifier) error {
	n := max(horizontal, -horizontal) + max(vertical, -vertical)
	if n == 0 || n > maxWheel {
		return fmt.Errorf("%w: scrolling by %d, %d notches; their sum must be between 1 and %d", x11.ErrRefused, horizontal, vertical, maxWheel)
	}
	return in.do(ctx, func(s *sequence) error {
		if err := s.moveTo(x, y, 0); err != nil {
			return err
		}
		if err := s.modifiers(modifiers); err != nil {
			return err
		}
		for _, axis := range []struct {
			n          int
			more, less Button
		}{{vertical, wheelUp, wheelDown}, {horizontal, wheelRight, wheelLeft}} {
			b := axis.more
			if axis.n < 0 {
				b = axis.less
			}
			for range max(axis.n, -axis.n) {
				if err := s.press(b); err != nil {
					return err
				}
				s.release()
				if err := s.pause(d / time.Duration(n)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
