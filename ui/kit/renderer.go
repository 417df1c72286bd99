package kit

import "fyne.io/fyne/v2"

// LaidOut returns r, laid out in the size that its widget already has. Fyne drops the renderer
// of a widget that is hidden for a minute. When the widget is shown again, Fyne makes a new
// renderer and does not lay it out.
func LaidOut(r fyne.WidgetRenderer, size fyne.Size) fyne.WidgetRenderer {
	if !size.IsZero() {
		r.Layout(size)
	}
	return r
}
