package kit

import "fyne.io/fyne/v2"

// A FocusPoint identifies the focused control of a page across a rebuild of the page. It consists
// of the look of the control and its index among controls of the same look.
type FocusPoint struct {
	look      string
	n         int // the index among controls of the same look
	byPointer bool
}

// FocusPointOn returns the focused control within root, or false if the focus is elsewhere.
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

// Restore focuses the same control again. If the control is gone, for example with a removed row
// of a list, Restore focuses the next control of the same look, or the last one if there is no
// next. If no control has that look, it focuses instead.
func (f FocusPoint) Restore(c fyne.Canvas, root fyne.CanvasObject, instead fyne.Focusable) {
	at, n := instead, 0
	eachFocusable(root, func(o fyne.Focusable) {
		if look, _ := lookOf(o); look == f.look && n <= f.n {
			at = o
			n++
		}
	})
	switch o := at.(type) { // do not show a focus ring or scroll after a pointer press
	case *Tappable:
		o.byPointer = f.byPointer
	case *Button:
		o.byMouse = f.byPointer
	}
	c.Focus(at)
}

// lookOf returns a key for the look of a control. The key differs for controls with different
// actions.
func lookOf(o fyne.Focusable) (look string, byPointer bool) {
	switch o := o.(type) {
	case *Tappable:
		return "tappable", o.byPointer
	case *Button:
		return "button " + o.Icon + " " + o.Text, o.byMouse
	case *Input:
		return "input " + o.PlaceHolder, false
	}
	return "", false
}

// eachFocusable calls do for each visible control in the tab order.
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
