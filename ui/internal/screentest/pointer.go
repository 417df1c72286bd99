package screentest

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Press presses the object that shows text, such as a button, a row or a link. If there are
// several, it presses the nth pressable one. It scrolls the object into view first.
func (pt *Pointer) Press(text string, nth ...int) {
	pt.T.Helper()
	pt.pressOne(fmt.Sprintf("%q", text), is(text), first(nth))
}

// PressIcon presses the nth pressable icon with that name.
func (pt *Pointer) PressIcon(name string, nth ...int) {
	pt.T.Helper()
	pt.pressOne("icon "+name, func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (pt *Pointer) pressOne(what string, ok func(*node) bool, nth int) {
	pt.T.Helper()
	n := pt.find(nth, func(n *node) bool { return ok(n) && pt.taps(n) != nil })
	if n == nil {
		pt.T.Fatalf("%s can't be pressed; the screen shows %q", what, pt.Texts())
	}
	pt.PressAt(pt.reach(n).middle(), 0)
}

// Pressable reports whether an object that shows text can be pressed: it takes presses and is
// not disabled.
func (rd *Reader) Pressable(text string, nth ...int) bool {
	return rd.enabled(is(text), first(nth))
}

// IconPressable is like Pressable for an icon.
func (rd *Reader) IconPressable(name string, nth ...int) bool {
	return rd.enabled(func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (rd *Reader) enabled(ok func(*node) bool, nth int) bool {
	n := rd.find(nth, func(n *node) bool { return ok(n) && rd.taps(n) != nil })
	if n == nil {
		return false
	}
	if d, is := rd.taps(n).(fyne.Disableable); is {
		return !d.Disabled()
	}
	return true
}

// taps returns the object that receives a press on a node. This is an object that contains the
// node, or a focusable object below it.
func (tr *tree) taps(n *node) fyne.CanvasObject {
	for up := n; up != nil; up = up.up {
		if _, ok := up.object.(fyne.Tappable); ok {
			return up.object
		}
	}
	if o, _ := tr.under(n.box.middle(), func(o fyne.CanvasObject) bool {
		_, tappable := o.(fyne.Tappable)
		_, focusable := o.(fyne.Focusable)
		return tappable && focusable
	}, false); o != nil {
		return o
	}
	return nil
}

// reach scrolls a node into view like the wheel, and returns its visible part.
func (tr *tree) reach(n *node) box {
	for up := n.up; up != nil; up = up.up {
		scroll := scrollerOf(up.object)
		if scroll == nil {
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
			if again := tr.again(n); again != nil {
				n = again
			}
		}
	}
	return n.box.within(n.clip)
}

// again returns the current node of the same object.
func (tr *tree) again(n *node) *node {
	return tr.find(0, func(now *node) bool { return now.object == n.object })
}

// PressAt presses and releases the primary mouse button at a position on the canvas.
func (pt *Pointer) PressAt(at fyne.Position, m fyne.KeyModifier) {
	pt.T.Helper()
	pt.down(at, desktop.MouseButtonPrimary, m)
	pt.up(at, desktop.MouseButtonPrimary, m)
	o, rel := pt.under(at, presses, true)
	if tap, ok := o.(fyne.Tappable); ok {
		tap.Tapped(&fyne.PointEvent{AbsolutePosition: at, Position: rel})
	}
}

// MenuAt presses the secondary mouse button, which opens menus.
func (pt *Pointer) MenuAt(at fyne.Position) {
	pt.T.Helper()
	pt.down(at, desktop.MouseButtonSecondary, 0)
	pt.up(at, desktop.MouseButtonSecondary, 0)
	o, rel := pt.under(at, presses, true)
	if tap, ok := o.(fyne.SecondaryTappable); ok {
		tap.TappedSecondary(&fyne.PointEvent{AbsolutePosition: at, Position: rel})
	}
}

// Menu opens the menu of the object that shows text.
func (pt *Pointer) Menu(text string, nth ...int) {
	pt.T.Helper()
	pt.MenuAt(pt.on(text, nth).middle())
}

// on scrolls to the nth text that equals text and returns its visible part.
func (tr *tree) on(text string, nth []int) box {
	tr.T.Helper()
	n := tr.find(first(nth), is(text))
	if n == nil {
		tr.T.Fatalf("the screen does not show %q, but %q", text, tr.Texts())
	}
	return tr.reach(n)
}

// Drag presses at from, moves to to, and releases there.
func (pt *Pointer) Drag(from, to fyne.Position) {
	pt.T.Helper()
	pt.DragOnto(from, to)
	pt.Drop(from, to)
}

// DragOnto presses at from and moves to to without releasing. Drop releases.
func (pt *Pointer) DragOnto(from, to fyne.Position) {
	pt.T.Helper()
	pt.down(from, desktop.MouseButtonPrimary, 0)
	o, rel := pt.under(from, drags, true)
	if drag, ok := o.(fyne.Draggable); ok {
		drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: to, Position: to.Subtract(from.Subtract(rel))}, Dragged: fyne.NewDelta(to.X-from.X, to.Y-from.Y)})
	}
}

// Drop releases what is dragged from the position from.
func (pt *Pointer) Drop(from, to fyne.Position) {
	pt.T.Helper()
	o, rel := pt.under(from, drags, true)
	if m, ok := o.(desktop.Mouseable); ok {
		m.MouseUp(mouse(to, to.Subtract(from.Subtract(rel)), desktop.MouseButtonPrimary, 0))
	}
	if drag, ok := o.(fyne.Draggable); ok {
		drag.DragEnd()
	}
}

// Hover moves the pointer over the object that shows text.
func (pt *Pointer) Hover(text string, nth ...int) {
	pt.T.Helper()
	pt.HoverAt(pt.on(text, nth).middle())
}

// HoverIcon moves the pointer over the nth icon with that name.
func (pt *Pointer) HoverIcon(name string, nth ...int) {
	pt.T.Helper()
	n := pt.find(first(nth), func(n *node) bool { return iconOf(n) == name })
	if n == nil {
		pt.T.Fatalf("there is no icon %s", name)
	}
	pt.HoverAt(pt.reach(n).middle())
}

// HoverAt moves the pointer to a position on the canvas.
func (pt *Pointer) HoverAt(at fyne.Position) {
	o, rel := pt.under(at, func(o fyne.CanvasObject) bool { _, ok := o.(desktop.Hoverable); return ok }, true)
	h, _ := o.(desktop.Hoverable)
	if pt.hovered != nil && pt.hovered != h {
		pt.hovered.MouseOut()
	}
	e := mouse(at, rel, 0, 0)
	switch {
	case h == nil:
	case pt.hovered == h:
		h.MouseMoved(e)
	default:
		h.MouseIn(e)
	}
	pt.hovered = h
}

// Leave moves the pointer out of the window.
func (pt *Pointer) Leave() {
	if pt.hovered != nil {
		pt.hovered.MouseOut()
		pt.hovered = nil
	}
}

// ScrollAt turns the wheel at a position on the canvas. A positive dy scrolls towards the top.
func (pt *Pointer) ScrollAt(at fyne.Position, dy float32) {
	o, _ := pt.under(at, func(o fyne.CanvasObject) bool { _, ok := o.(fyne.Scrollable); return ok }, true)
	if scroll, ok := o.(fyne.Scrollable); ok {
		scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, dy)})
	}
}

// PressBeside presses the switch or button to the right of a text in the same row.
func (pt *Pointer) PressBeside(text string) {
	pt.T.Helper()
	pt.on(text, nil)
	at, ok := pt.beside(text)
	if !ok {
		pt.T.Fatalf("nothing beside %q can be pressed", text)
	}
	pt.PressAt(pt.reach(at).middle(), 0)
}

// FocusBeside moves the focus to the object to the right of a text in the same row.
func (kb *Keyboard) FocusBeside(text string) {
	kb.T.Helper()
	at, ok := kb.beside(text)
	if !ok {
		kb.T.Fatalf("nothing beside %q can have the focus", text)
	}
	kb.Canvas().Focus(at.object.(fyne.Focusable))
}

// FocusIsBeside reports whether the focus is on the object to the right of a text in the same
// row.
func (kb *Keyboard) FocusIsBeside(text string) bool {
	at, ok := kb.beside(text)
	return ok && any(at.object) == any(kb.Canvas().Focused())
}

// beside returns the first pressable and focusable object to the right of a text on the same
// level. It leaves out objects of other scrollers, such as the tabs above a page that is scrolled.
func (tr *tree) beside(text string) (*node, bool) {
	label := tr.find(0, is(text))
	if label == nil {
		return nil, false
	}
	var best *node
	tr.visit(tr.layer(), false, func(n *node) bool {
		_, taps := n.object.(fyne.Tappable)
		_, focus := n.object.(fyne.Focusable)
		left := n.box.at.X >= label.box.at.X+8
		level := n.box.at.Y < label.box.at.Y+label.box.size.Height+24 && n.box.at.Y+n.box.size.Height > label.box.at.Y
		if taps && focus && left && level && n.clip == label.clip && (best == nil || n.box.at.Y < best.box.at.Y || n.box.at.Y == best.box.at.Y && n.box.at.X < best.box.at.X) {
			best = n
		}
		return true
	})
	return best, best != nil
}
