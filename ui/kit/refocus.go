package kit

import (
	"fyne.io/fyne/v2"
)

// A FocusPoint is where the focus is on a page that is about to be drawn anew: on
// which control of its kind and look. None: the focus is somewhere else.
type FocusPoint struct {
	look      string
	n         int // of those that look the same
	byPointer bool
}

// FocusPointOn finds where the focus is within root.
func FocusPointOn(c fyne.Canvas, root fyne.CanvasObject) (f FocusPoint, ok bool) {
	held, counts := c.Focused(), make(map[string]int)
	eachFocusable(root, func(o fyne.Focusable) {
		look, byPointer := lookOf(o)
		if o == held {
			f, ok = FocusPoint{look, counts[look], byPointer}, true
		}
		counts[look]++
	})
	return f, ok
}

// Restore puts the focus where it was. Where that is gone, as the row that was
// taken off a list, it goes to the next one like it, or the last one; and where
// there is none like it, to instead.
func (f FocusPoint) Restore(c fyne.Canvas, root fyne.CanvasObject, instead fyne.Focusable) {
	at, n := instead, 0
	eachFocusable(root, func(o fyne.Focusable) {
		if look, _ := lookOf(o); look == f.look && n <= f.n {
			at = o
			n++
		}
	})
	switch o := at.(type) { // no ring, and no scrolling, for who presses by the pointer
	case *Tappable:
		o.byPointer = f.byPointer
	case *Button:
		o.byMouse = f.byPointer
	}
	c.Focus(at)
}

// lookOf tells controls apart that do different things.
func lookOf(o fyne.Focusable) (look string, byPointer bool) {
	switch o := o.(type) {
	case *Tappable:
		return "hotspot", o.byPointer
	case *Button:
		return "button " + o.Icon + " " + o.Text, o.byMouse
	case *Input:
		return "input " + o.PlaceHolder, false
	}
	return "", false
}

// eachFocusable calls do for each control in sight that Tab comes to, in its order.
func eachFocusable(o fyne.CanvasObject, do func(fyne.Focusable)) {
	if !o.Visible() {
		return
	}
	if f, ok := o.(fyne.Focusable); ok {
		if d, can := o.(fyne.Disableable); !can || !d.Disabled() {
			do(f)
		}
		return
	}
	if box, ok := o.(*fyne.Container); ok {
		for _, child := range box.Objects {
			eachFocusable(child, do)
		}
	}
}
