package kit

import "fyne.io/fyne/v2"

// Focus gives the keyboard to something in the window. What has not been painted
// yet has no canvas that Fyne would know of; there is one window, so it is that
// window's.
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
