package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// CanvasOf returns the canvas of o; nil without a window. Fyne knows no canvas for an object
// that it has not painted yet, and forgets the one of an object that it has not painted for a
// while, such as during a long frame. The program has one window, so CanvasOf returns that
// window's canvas then.
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
	case *container.Scroll:
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
