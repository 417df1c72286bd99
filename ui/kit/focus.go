package kit

import "fyne.io/fyne/v2"

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

// Focus gives o the keyboard focus.
func Focus(o fyne.Focusable) {
	if co, ok := o.(fyne.CanvasObject); ok && CanvasOf(co) != nil {
		CanvasOf(co).Focus(o)
	}
}
