package screentest

import (
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// A Spot describes the object that has the focus.
type Spot struct {
	Name     string // its text, its hint or its icon
	At       fyne.Position
	Size     fyne.Size
	InSight  bool    // all of it is visible, or its beginning if it is higher than its scroller
	Scrolled bool    // it is inside a scroller
	Offset   float32 // how far that scroller is scrolled down
}

// Spot returns the object that has the focus. It reports false if nothing has the focus.
func (ck *Checker) Spot() (s Spot, ok bool) {
	o, ok := ck.Canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return s, false
	}
	var n *node
	ck.visit(ck.layer(), false, func(have *node) bool {
		if have.object == o {
			n = have
		}
		return n == nil
	})
	if n == nil {
		return Spot{Name: fmt.Sprintf("%T behind the top layer", o)}, true
	}
	s = Spot{Name: ck.nameOf(n), At: n.box.at, Size: n.box.size, InSight: begins(n.box, box{size: ck.Canvas().Size()})}
	for up := n.up; up != nil; up = up.up {
		if scroll := scrollerOf(up.object); scroll != nil {
			s.InSight = s.InSight && begins(n.box, up.box)
			s.Scrolled, s.Offset = true, scroll.Offset.Y
		}
	}
	return s, true
}

// begins reports whether b lies in o. If b is higher than o, it reports whether the beginning
// of b does.
func begins(b, o box) bool {
	const slack = 0.5
	high := min(b.size.Height, o.size.Height)
	return b.at.X >= o.at.X-slack && b.at.Y >= o.at.Y-slack &&
		b.at.X+b.size.Width <= o.at.X+o.size.Width+slack && b.at.Y+high <= o.at.Y+o.size.Height+slack
}

// nameOf describes a node by its hint, or by the texts and icons in it.
func (tr *tree) nameOf(n *node) string {
	if hint, ok := n.field(); ok {
		text, _ := n.text()
		return fmt.Sprintf("field %q with %q", hint, text)
	}
	name := fmt.Sprintf("%T", n.object)
	tr.visit(tr.layer(), true, func(part *node) bool {
		if !inside(part, n) {
			return true
		}
		if text, ok := part.text(); ok {
			name += fmt.Sprintf(" %q", text)
		}
		if icon := iconOf(part); icon != "" {
			name += " " + icon
		}
		return true
	})
	return fmt.Sprintf("%s at %v", name, n.box.at)
}

// MainPart returns the position and the size of the largest scroller in the top layer.
func (ck *Checker) MainPart() (at fyne.Position, size fyne.Size) {
	ck.visit(ck.layer(), false, func(n *node) bool {
		if scrollerOf(n.object) != nil && n.box.size.Width*n.box.size.Height > size.Width*size.Height {
			at, size = n.box.at, n.box.size
		}
		return true
	})
	return at, size
}

// RingAround reports whether a focus ring surrounds the nth text that equals text.
func (ck *Checker) RingAround(text string, nth ...int) bool {
	n := ck.find(first(nth), is(text))
	found := false
	ck.visit(ck.layer(), false, func(have *node) bool {
		r, ok := have.object.(*canvas.Rectangle)
		if ok && n != nil && r.StrokeWidth > 0 && r.StrokeColor == accent() && around(have.box, n.box) {
			found = true
		}
		return !found
	})
	return found
}

// FocusShows reports whether the window looks different without the focus.
func (ck *Checker) FocusShows() bool {
	c := ck.Canvas()
	o, with := c.Focused(), paint(c)
	c.Unfocus()
	without := paint(c)
	c.Focus(o)
	return !reflect.DeepEqual(with, without)
}
