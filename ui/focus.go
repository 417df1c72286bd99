package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// watchFocus keeps track of whether the window is in front.
func (w *Window) watchFocus() {
	l := w.app.Lifecycle()
	l.SetOnEnteredForeground(func() {
		w.away = false
		w.Look()
		w.paint.Request()
	})
	l.SetOnExitedForeground(func() { w.away = true })
}

// Raise brings the window to the front. It is safe to call from any goroutine.
func (w *Window) Raise() {
	w.post(func() {
		w.hidden = false
		w.Look()
		w.win.Show()
		w.win.RequestFocus()
	})
}

// Toggle hides the window or shows it again. Turns and servers continue while
// it is hidden. It is safe to call from any goroutine.
func (w *Window) Toggle() {
	w.post(func() {
		if w.hidden = !w.hidden; w.hidden {
			w.win.Hide()
			return
		}
		w.Look()
		w.win.Show()
		w.win.RequestFocus()
	})
}

// A sizeReporter is the outermost layout. It reports the size of the window.
type sizeReporter struct {
	kit.Margin
	seen func(fyne.Size)
}

func (l sizeReporter) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.Margin.Layout(objects, size)
	l.seen(size)
}

// resized saves the size of the window.
func (w *Window) resized(size fyne.Size) {
	if s := w.settings; w.shown && (size.Width != s.Width || size.Height != s.Height) {
		s.Width, s.Height = size.Width, size.Height
		w.change(s)
	}
}
