package kit

import "fyne.io/fyne/v2"

// Focus gives o the keyboard focus. Fyne knows no canvas for an object that it
// has not painted yet. The program has one window, so Focus uses that window's
// canvas then.
func Focus(o fyne.Focusable) {
	co, ok := o.(fyne.CanvasObject)
	if !ok {
		return
	}
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(co)
	if all := driver.AllWindows(); c == nil && len(all) > 0 {
		c = all[0].Canvas()
	}
	if c != nil {
		c.Focus(o)
	}
}
