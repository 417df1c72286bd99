package backend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/input"
)

// action checks an input action and returns the function that performs it. Its errors are mistakes
// of the caller.
func (s *screen) action(a *pb.InputAction) (func(context.Context) error, error) {
	switch v := a.GetInputType().(type) {
	case *pb.InputAction_Click:
		return s.click(v.Click)
	case *pb.InputAction_TypeText:
		return s.typeText(v.TypeText)
	case *pb.InputAction_PressKey:
		return s.pressKey(v.PressKey)
	case *pb.InputAction_MoveMouse:
		p, err := pointOf(v.MoveMouse.GetPosition())
		d, err2 := inputaction.Seconds("a duration", v.MoveMouse.GetDuration())
		return func(ctx context.Context) error { return s.input.Move(ctx, p.x, p.y, d) }, firstError(err, err2)
	case *pb.InputAction_Drag:
		return s.drag(v.Drag)
	case *pb.InputAction_Scroll:
		return s.scroll(v.Scroll)
	case *pb.InputAction_Hover:
		p, err := pointOf(v.Hover.GetPosition())
		d, err2 := inputaction.Seconds("a duration", v.Hover.GetDuration())
		return func(ctx context.Context) error { return s.input.Hover(ctx, p.x, p.y, d) }, firstError(err, err2)
	case *pb.InputAction_Gesture:
		return s.gesture(v.Gesture)
	case *pb.InputAction_ButtonDown:
		p, err := pointOf(v.ButtonDown.GetPosition())
		b, err2 := inputaction.Button(v.ButtonDown.GetButton())
		m, err3 := inputaction.Modifiers(v.ButtonDown.GetModifiers())
		return func(ctx context.Context) error { return s.input.ButtonDown(ctx, p.x, p.y, b, m...) }, firstError(err, err2, err3)
	case *pb.InputAction_ButtonUp:
		p, err := pointOf(v.ButtonUp.GetPosition())
		b, err2 := inputaction.Button(v.ButtonUp.GetButton())
		m, err3 := inputaction.Modifiers(v.ButtonUp.GetModifiers())
		return func(ctx context.Context) error { return s.input.ButtonUp(ctx, p.x, p.y, b, m...) }, firstError(err, err2, err3)
	}
	return nil, fault.Invalid("the action is missing: give click, type_text, press_key, move_mouse, drag, scroll, hover, gesture, button_down or button_up")
}

// firstError returns the first error that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *screen) click(v *pb.MouseClick) (func(context.Context) error, error) {
	p, err := pointOf(v.GetPosition())
	b, err2 := inputaction.Button(v.GetClickType())
	n := int(v.GetClickCount())
	if n == 0 {
		n = 1
	}
	if n < 1 || n > 10 {
		return nil, fault.Invalid("a click_count of %d: it is between 1 and 10", n)
	}
	return func(ctx context.Context) error { return s.input.Click(ctx, p.x, p.y, b, n) }, firstError(err, err2)
}

// withTypedCount adds to an error how many characters of a text were typed before it. done counts the
// characters of the previous parts. The error contains the count of the last part.
func withTypedCount(err error, done, of int) error {
	var last *input.StoppedError
	if errors.As(err, &last) {
		done, err = done+last.Typed, last.Err
	}
	if done == 0 {
		return err
	}
	return &input.StoppedError{Typed: done, Of: of, Err: err}
}

func (s *screen) typeText(v *pb.TextInput) (func(context.Context) error, error) {
	if v.GetText() == "" {
		return nil, fault.Invalid("the text is empty")
	}
	d, err := inputaction.Seconds("a char_delay", v.GetCharDelay())
	return func(ctx context.Context) error {
		if _, ok, err := s.desktop.Focused(); err == nil && !ok {
			remark.Add(ctx, "No window has the keyboard focus")
		}
		// Tab and Return move the focus to another field, which the guard must check first.
		done := 0
		for part := range inputaction.Fields(v.GetText()) {
			var err error
			if done > 0 {
				err = s.input.Settle(ctx)
				s.forget()
			}
			if err == nil {
				err = s.input.Type(ctx, part, d)
			}
			if err != nil {
				return withTypedCount(err, done, utf8.RuneCountInString(v.GetText()))
			}
			done += utf8.RuneCountInString(part)
		}
		return nil
	}, err
}

func (s *screen) pressKey(v *pb.KeyPress) (func(context.Context) error, error) {
	if v.GetKey() == "" {
		return nil, fault.Invalid("the key has no name")
	}
	m, err := inputaction.Modifiers(v.GetModifiers())
	hold, err2 := inputaction.Seconds("a hold_duration", v.GetHoldDuration())
	held, name, err3 := input.Canonical(v.GetKey(), m...)
	return func(ctx context.Context) error {
		if err := s.guard.Chord(held, name); err != nil {
			return err
		}
		return s.input.Key(ctx, v.GetKey(), hold, m...)
	}, firstError(err, err2, fault.Status(err3))
}

func (s *screen) drag(v *pb.MouseDrag) (func(context.Context) error, error) {
	from, err := pointOf(v.GetStartPosition())
	to, err2 := pointOf(v.GetEndPosition())
	b, err3 := inputaction.Button(v.GetButton())
	d, err4 := inputaction.Seconds("a duration", v.GetDuration())
	return func(ctx context.Context) error {
		if err := s.guard.Path(ctx, []element.Point{from.shared(), to.shared()}); err != nil {
			return err
		}
		return s.input.Drag(ctx, [][2]int{{from.x, from.y}, {to.x, to.y}}, d, b)
	}, firstError(err, err2, err3, err4)
}

// scroll turns the mouse wheel. Right and down are positive, as on a page. Without a position, it
// scrolls at the pointer.
func (s *screen) scroll(v *pb.Scroll) (func(context.Context) error, error) {
	d, err := inputaction.Seconds("a duration", v.GetDuration())
	n, err2 := inputaction.Pixels(v.GetHorizontal(), v.GetVertical())
	if err := firstError(err, err2); err != nil {
		return nil, err
	}
	for i, amount := range []float64{v.GetHorizontal(), v.GetVertical()} { // rounds half a notch up to one
		if n[i] == 0 && amount != 0 {
			n[i] = int(math.Copysign(1, amount))
		}
	}
	if n[0] == 0 && n[1] == 0 {
		return nil, fault.Invalid("the amount is missing: give horizontal or vertical, in notches of the wheel")
	}
	var p point
	if v.GetPosition() != nil {
		if p, err = pointOf(v.GetPosition()); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) error {
		if v.GetPosition() == nil {
			if p.x, p.y, err = s.desktop.Cursor(); err != nil {
				return err
			}
		}
		return s.wheel(ctx, p, n[0], -n[1], d)
	}, nil
}

// wheel turns the mouse wheel over a window. It refuses the desktop background, where some window
// managers would switch the workspace and hide every window.
func (s *screen) wheel(ctx context.Context, p point, h, v int, d time.Duration, m ...input.Modifier) error {
	_, there, err := s.desktop.At(p.x, p.y)
	if err != nil {
		return err
	}
	if !there {
		return fmt.Errorf("%w: there is no window to scroll at %d, %d", x11.ErrRefused, p.x, p.y)
	}
	return s.input.Scroll(ctx, p.x, p.y, h, v, d, m...)
}

// gesture performs the gestures that a mouse can imitate. Zooming is the wheel with Control. A
// swipe is the wheel.
func (s *screen) gesture(v *pb.Gesture) (func(context.Context) error, error) {
	p, err := pointOf(v.GetCenter())
	if err != nil {
		return nil, err
	}
	if n := v.GetFingerCount(); n != 0 && n != 2 {
		return nil, status.Errorf(codes.Unimplemented, "X11 has no gesture of %d fingers; leave finger_count out for one of two", n)
	}
	const swipe, zoom = 5, 3
	switch v.GetGestureType() {
	case pb.Gesture_GESTURE_TYPE_PINCH, pb.Gesture_GESTURE_TYPE_ZOOM:
		n := zoom
		if scale := v.GetScale(); scale > 0 && scale < 1 || scale == 0 && v.GetGestureType() == pb.Gesture_GESTURE_TYPE_PINCH {
			n = -zoom
		}
		return func(ctx context.Context) error { return s.wheel(ctx, p, 0, n, 0, input.Control) }, nil
	case pb.Gesture_GESTURE_TYPE_SWIPE:
		h, vertical := 0, 0
		switch v.GetDirection() { // the content follows the fingers
		case pb.Gesture_DIRECTION_UP:
			vertical = -swipe
		case pb.Gesture_DIRECTION_DOWN:
			vertical = swipe
		case pb.Gesture_DIRECTION_LEFT:
			h = swipe
		case pb.Gesture_DIRECTION_RIGHT:
			h = -swipe
		default:
			return nil, fault.Invalid("a swipe needs a direction")
		}
		return func(ctx context.Context) error { return s.wheel(ctx, p, h, vertical, 0) }, nil
	case pb.Gesture_GESTURE_TYPE_ROTATE, pb.Gesture_GESTURE_TYPE_FORCE_TOUCH:
		return nil, status.Error(codes.Unimplemented, "X11 has no gesture to rotate or to press harder; use the application's menus")
	}
	return nil, fault.Invalid("the gesture_type is missing")
}
