package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// presence describes whether the user sees the window.
type presence struct {
	away   bool // another window is in front
	hidden bool // Toggle hid the window
	shown  bool // Show was called
}

// watchFocus keeps track of whether the window is in front.
func (w *Window) watchFocus() {
	l := w.app.Lifecycle()
	l.SetOnEnteredForeground(func() {
		w.presence.away = false
		w.reportVisibility()
		w.chats.Look()
		w.paint.Request()
	})
	l.SetOnExitedForeground(func() { w.presence.away = true; w.reportVisibility() })
}

// reportVisibility reports to the dialogs whether the user sees the window.
func (w *Window) reportVisibility() {
	away := w.presence.away || w.presence.hidden
	w.options.Dialogs.attention.set(func(a *attention) { a.away = away })
	if d := w.pages.work.desktop; d != nil {
		d.Veil(w.presence.hidden) // not when away: the user may watch a picture behind another window
	}
}

// Raise brings the window to the front. It is safe to call from any goroutine.
func (w *Window) Raise() {
	w.tasks.post(func() {
		w.presence.hidden = false
		w.reportVisibility()
		w.chats.Look()
		w.frame.win.Show()
		w.frame.win.RequestFocus()
	})
}

// Toggle hides the window or shows it again. Turns and servers continue while
// it is hidden. It is safe to call from any goroutine.
func (w *Window) Toggle() {
	w.tasks.post(func() {
		w.presence.hidden = !w.presence.hidden
		w.reportVisibility()
		if w.presence.hidden {
			w.frame.win.Hide()
			return
		}
		w.chats.Look()
		w.frame.win.Show()
		w.frame.win.RequestFocus()
	})
}

// Quit ends the program. If something is not saved, it asks first. It is safe to call from any
// goroutine.
func Quit(w *Window) {
	w.tasks.post(func() {
		w.chats.History.Loader.Leave(func() { quit(w) })
		if len(w.shell.Sheets.All) > 0 {
			w.Raise()
		}
	})
}

// setVisible hides or shows the window. A dialog hides it while a picture is taken of what is behind
// it.
func (f *frame) setVisible(on bool) {
	if !on {
		f.win.Hide()
		return
	}
	f.win.Show()
	f.win.RequestFocus()
}

// A sizeReporter is the outermost layout of the window. It reports the window's size.
type sizeReporter struct {
	kit.Margin
	seen func(fyne.Size)
}

func (l sizeReporter) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.Margin.Layout(objects, size)
	l.seen(size)
}

// resized saves the new size of the window.
func (w *Window) resized(size fyne.Size) {
	if s := w.prefs.current; w.presence.shown && (size.Width != s.Width || size.Height != s.Height) {
		s.Width, s.Height = size.Width, size.Height
		w.prefs.change(s)
	}
}
