package screentest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// under returns the topmost object of the top layer at a position for which ok holds, and the
// position inside that object. If clipped is true, it ignores what scrollers hide.
func (tr *tree) under(at fyne.Position, ok func(fyne.CanvasObject) bool, clipped bool) (found fyne.CanvasObject, rel fyne.Position) {
	tr.visit(tr.layer(), false, func(n *node) bool {
		if n.box.holds(at) && (!clipped || n.clip.holds(at)) && ok(n.object) {
			found, rel = n.object, at.Subtract(n.box.at)
		}
		return true
	})
	return found, rel
}

// presses reports whether Fyne's desktop driver considers an object when it looks for the
// target of a mouse press.
func presses(o fyne.CanvasObject) bool {
	switch o.(type) {
	case fyne.Tappable, fyne.SecondaryTappable, fyne.DoubleTappable, fyne.Focusable, desktop.Mouseable:
		return true
	}
	return false
}

func drags(o fyne.CanvasObject) bool {
	_, ok := o.(fyne.Draggable)
	return ok
}

// down does what Fyne's desktop driver does when a mouse button goes down.
func (pt *Pointer) down(at fyne.Position, b desktop.MouseButton, m fyne.KeyModifier) {
	o, rel := pt.under(at, presses, true)
	if wid, ok := o.(desktop.Mouseable); ok {
		wid.MouseDown(mouse(at, rel, b, m))
	}
	focus, _ := pt.under(at, func(o fyne.CanvasObject) bool { _, ok := o.(fyne.Focusable); return ok }, true)
	if focus == nil {
		pt.Canvas().Unfocus()
	}
}

func (pt *Pointer) up(at fyne.Position, b desktop.MouseButton, m fyne.KeyModifier) {
	o, rel := pt.under(at, presses, true)
	if wid, ok := o.(desktop.Mouseable); ok {
		wid.MouseUp(mouse(at, rel, b, m))
	}
}

func mouse(at, rel fyne.Position, b desktop.MouseButton, m fyne.KeyModifier) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{AbsolutePosition: at, Position: rel}, Button: b, Modifier: m}
}
