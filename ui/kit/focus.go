package kit

import (
	"slices"

	"fyne.io/fyne/v2"
)

// CanvasOf returns the canvas of o, or nil if there is no window. Fyne has no canvas for an
// object that it has not painted yet. It also forgets the canvas of an object that it has not
// painted for a while, for example during a long frame. In both cases CanvasOf returns the canvas
// of the program's only window.
func CanvasOf(o fyne.CanvasObject) fyne.Canvas {
	driver := fyne.CurrentApp().Driver()
	if c := driver.CanvasForObject(o); c != nil {
		return c
	}
	if all := driver.AllWindows(); len(all) > 0 {
		return all[0].Canvas()
	}
	return nil
}

// PositionOf returns the position of o in the window. Fyne returns (0, 0) for an object that it
// has not painted for a while. PositionOf then searches the window for the object.
func PositionOf(o fyne.CanvasObject) fyne.Position {
	driver := fyne.CurrentApp().Driver()
	if driver.CanvasForObject(o) != nil {
		return driver.AbsolutePositionForObject(o)
	}
	c := CanvasOf(o)
	if c == nil {
		return fyne.Position{}
	}
	for _, root := range append(c.Overlays().List(), c.Content()) {
		if at, found := positionIn(root, o); found {
			return at
		}
	}
	return fyne.Position{}
}

func positionIn(root, o fyne.CanvasObject) (fyne.Position, bool) {
	if root == o {
		return root.Position(), true
	}
	var inner []fyne.CanvasObject
	switch v := root.(type) {
	case *Scroll: // its content has moved by the offset
		inner = []fyne.CanvasObject{v.Content}
	case *fyne.Container:
		inner = v.Objects
	}
	for _, child := range inner {
		if at, found := positionIn(child, o); found {
			return root.Position().Add(at), true
		}
	}
	return fyne.Position{}, false
}

// HasFocus reports whether the focused control is within root.
func HasFocus(root fyne.CanvasObject) bool {
	c := CanvasOf(root)
	if c == nil {
		return false
	}
	held, ok := c.Focused().(fyne.CanvasObject)
	return ok && contains(root, held)
}

func contains(root, o fyne.CanvasObject) bool {
	if root == o {
		return true
	}
	switch v := root.(type) {
	case *Scroll:
		return contains(v.Content, o)
	case *fyne.Container:
		return slices.ContainsFunc(v.Objects, func(child fyne.CanvasObject) bool { return contains(child, o) })
	}
	return false
}

// Focus gives o the keyboard focus.
func Focus(o fyne.Focusable) {
	if co, ok := o.(fyne.CanvasObject); ok && CanvasOf(co) != nil {
		CanvasOf(co).Focus(o)
	}
}
