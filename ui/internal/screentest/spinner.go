package screentest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// Spinners returns the number of spinners on the top layer. Each is a circle of dots that shows
// running work.
func (rd *Reader) Spinners() (n int) {
	rd.visit(rd.layer(), false, func(have *node) bool {
		if isSpinner(have.object) {
			n++
		}
		return true
	})
	return n
}

// isSpinner reports whether an object draws only dots, and several of them.
func isSpinner(o fyne.CanvasObject) bool {
	w, ok := o.(fyne.Widget)
	if !ok {
		return false
	}
	parts := test.WidgetRenderer(w).Objects()
	for _, part := range parts {
		if _, dot := part.(*canvas.Circle); !dot {
			return false
		}
	}
	return len(parts) > 1
}
