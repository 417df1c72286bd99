package screentest

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
)

// Press presses what shows text: a button, a row, a link. Of several it takes the
// nth that can be pressed. It scrolls there first.
func (s *Screen) Press(text string, nth ...int) {
	s.T.Helper()
	s.pressOne(fmt.Sprintf("%q", text), is(text), first(nth))
}

// PressIcon presses the nth icon of that name that can be pressed.
func (s *Screen) PressIcon(name string, nth ...int) {
	s.T.Helper()
	s.pressOne("icon "+name, func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (s *Screen) pressOne(what string, ok func(*node) bool, nth int) {
	s.T.Helper()
	n := s.find(nth, func(n *node) bool { return ok(n) && s.taps(n) != nil })
	if n == nil {
		s.T.Fatalf("%s can't be pressed; the screen shows %q", what, s.Texts())
	}
	s.PressAt(s.reach(n).middle(), 0)
}

// Pressable reports whether something that shows text can be pressed: it takes
// presses and is not disabled.
func (s *Screen) Pressable(text string, nth ...int) bool {
	return s.enabled(is(text), first(nth))
}

// IconPressable is Pressable for an icon.
func (s *Screen) IconPressable(name string, nth ...int) bool {
	return s.enabled(func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (s *Screen) enabled(ok func(*node) bool, nth int) bool {
	n := s.find(nth, func(n *node) bool { return ok(n) && s.taps(n) != nil })
	if n == nil {
		return false
	}
	if d, is := s.taps(n).(fyne.Disableable); is {
		return !d.Disabled()
	}
	return true
}

// taps is what takes a press on a node: what it is a part of, or what lies under
// it and can have the focus.
func (s *Screen) taps(n *node) fyne.CanvasObject {
	for up := n; up != nil; up = up.up {
		if _, ok := up.object.(fyne.Tappable); ok {
			return up.object
		}
	}
	if o, _ := s.under(n.box.middle(), func(o fyne.CanvasObject) bool {
		_, tappable := o.(fyne.Tappable)
		_, focusable := o.(fyne.Focusable)
		return tappable && focusable
	}, false); o != nil {
		return o
	}
	return nil
}

// reach scrolls a node into sight as the wheel does, and returns the part of it
// that is in sight.
func (s *Screen) reach(n *node) box {
	for up := n.up; up != nil; up = up.up {
		scroll, ok := up.object.(*container.Scroll)
		if !ok {
			continue
		}
		top, bottom := n.box.at.Y-up.box.at.Y, n.box.at.Y+n.box.size.Height-up.box.at.Y-up.box.size.Height
		by := float32(0)
		switch {
		case top < 0:
			by = -top + 8
		case bottom > 0:
			by = -bottom - 8
		}
		if by != 0 {
			scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, by)})
			if again := s.again(n); again != nil {
				n = again
			}
		}
	}
	return n.box.within(n.clip)
}

// again is where the node's object is now.
func (s *Screen) again(n *node) *node {
	return s.find(0, func(now *node) bool { return now.object == n.object })
}

// PressAt presses the first button of the mouse at a place on the canvas and
// lets it go.
func (s *Screen) PressAt(at fyne.Position, m fyne.KeyModifier) {
	s.T.Helper()
	s.down(at, desktop.MouseButtonPrimary, m)
	s.up(at, desktop.MouseButtonPrimary, m)
	o, rel := s.under(at, presses, true)
	if tap, ok := o.(fyne.Tappable); ok {
		tap.Tapped(&fyne.PointEvent{AbsolutePosition: at, Position: rel})
	}
}

// MenuAt presses the other button of the mouse, which opens menus.
func (s *Screen) MenuAt(at fyne.Position) {
	s.T.Helper()
	s.down(at, desktop.MouseButtonSecondary, 0)
	s.up(at, desktop.MouseButtonSecondary, 0)
	o, rel := s.under(at, presses, true)
	if tap, ok := o.(fyne.SecondaryTappable); ok {
		tap.TappedSecondary(&fyne.PointEvent{AbsolutePosition: at, Position: rel})
	}
}

// Menu opens the menu of what shows text.
func (s *Screen) Menu(text string, nth ...int) {
	s.T.Helper()
	s.MenuAt(s.on(text, nth).middle())
}

// on is where the nth text that is text is in sight, after scrolling there.
func (s *Screen) on(text string, nth []int) box {
	s.T.Helper()
	n := s.find(first(nth), is(text))
	if n == nil {
		s.T.Fatalf("the screen does not show %q, but %q", text, s.Texts())
	}
	return s.reach(n)
}

// Drag presses at from, moves to to, and lets go there.
func (s *Screen) Drag(from, to fyne.Position) {
	s.T.Helper()
	s.DragOnto(from, to)
	s.Drop(from, to)
}

// DragOnto presses at from and moves to to, without letting go; see Drop.
func (s *Screen) DragOnto(from, to fyne.Position) {
	s.T.Helper()
	s.down(from, desktop.MouseButtonPrimary, 0)
	o, rel := s.under(from, drags, true)
	if drag, ok := o.(fyne.Draggable); ok {
		drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: to, Position: to.Subtract(from.Subtract(rel))}, Dragged: fyne.NewDelta(to.X-from.X, to.Y-from.Y)})
	}
}

// Drop lets go what was dragged from from.
func (s *Screen) Drop(from, to fyne.Position) {
	s.T.Helper()
	o, rel := s.under(from, drags, true)
	if m, ok := o.(desktop.Mouseable); ok {
		m.MouseUp(mouse(to, to.Subtract(from.Subtract(rel)), desktop.MouseButtonPrimary, 0))
	}
	if drag, ok := o.(fyne.Draggable); ok {
		drag.DragEnd()
	}
}

// Hover moves the pointer over what shows text.
func (s *Screen) Hover(text string, nth ...int) {
	s.T.Helper()
	s.HoverAt(s.on(text, nth).middle())
}

// HoverIcon moves the pointer over the nth icon of that name.
func (s *Screen) HoverIcon(name string, nth ...int) {
	s.T.Helper()
	n := s.find(first(nth), func(n *node) bool { return iconOf(n) == name })
	if n == nil {
		s.T.Fatalf("there is no icon %s", name)
	}
	s.HoverAt(s.reach(n).middle())
}

// HoverAt moves the pointer to a place on the canvas.
func (s *Screen) HoverAt(at fyne.Position) {
	o, rel := s.under(at, func(o fyne.CanvasObject) bool { _, ok := o.(desktop.Hoverable); return ok }, true)
	h, _ := o.(desktop.Hoverable)
	if s.hovered != nil && s.hovered != h {
		s.hovered.MouseOut()
	}
	e := mouse(at, rel, 0, 0)
	switch {
	case h == nil:
	case s.hovered == h:
		h.MouseMoved(e)
	default:
		h.MouseIn(e)
	}
	s.hovered = h
}

// Leave moves the pointer out of the window.
func (s *Screen) Leave() {
	if s.hovered != nil {
		s.hovered.MouseOut()
		s.hovered = nil
	}
}

// ScrollAt turns the wheel at a place on the canvas; dy is positive towards the
// top.
func (s *Screen) ScrollAt(at fyne.Position, dy float32) {
	o, _ := s.under(at, func(o fyne.CanvasObject) bool { _, ok := o.(fyne.Scrollable); return ok }, true)
	if scroll, ok := o.(fyne.Scrollable); ok {
		scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, dy)})
	}
}

// PressBeside presses the switch or button that stands to the right of a text, in
// its row.
func (s *Screen) PressBeside(text string) {
	s.T.Helper()
	s.on(text, nil)
	at, ok := s.beside(text)
	if !ok {
		s.T.Fatalf("nothing beside %q can be pressed", text)
	}
	s.PressAt(s.reach(at).middle(), 0)
}

// FocusBeside moves the focus to what stands to the right of a text, in its row.
func (s *Screen) FocusBeside(text string) {
	s.T.Helper()
	at, ok := s.beside(text)
	if !ok {
		s.T.Fatalf("nothing beside %q can have the focus", text)
	}
	s.Canvas().Focus(at.object.(fyne.Focusable))
}

// FocusIsBeside reports whether the focus is on what stands to the right of a
// text, in its row.
func (s *Screen) FocusIsBeside(text string) bool {
	at, ok := s.beside(text)
	return ok && any(at.object) == any(s.Canvas().Focused())
}

// beside is the first object right of a text and level with it that can be
// pressed and have the focus.
func (s *Screen) beside(text string) (*node, bool) {
	label := s.find(0, is(text))
	if label == nil {
		return nil, false
	}
	var best *node
	s.visit(s.layer(), false, func(n *node) bool {
		_, taps := n.object.(fyne.Tappable)
		_, focus := n.object.(fyne.Focusable)
		left := n.box.at.X >= label.box.at.X+8
		level := n.box.at.Y < label.box.at.Y+label.box.size.Height+24 && n.box.at.Y+n.box.size.Height > label.box.at.Y
		if taps && focus && left && level && (best == nil || n.box.at.Y < best.box.at.Y || n.box.at.Y == best.box.at.Y && n.box.at.X < best.box.at.X) {
			best = n
		}
		return true
	})
	return best, best != nil
}
