package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// leaf scrolls what is in front by most of a page: a sheet, or the transcript.
func (p *page) leaf(pages float32) {
	s := p.transcript.scroll.scroll
	if n := len(p.sheets); n > 0 {
		if p.sheets[n-1].body == nil {
			return
		}
		s = p.sheets[n-1].body.scroll
	}
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -pages*0.85*s.Size().Height)})
}

// copy puts text on the clipboard.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.toasts.say("copy", "Copied")
}

// escape closes what is on top, or else stops the turn.
func (w *Window) escape() {
	if n := len(w.sheets); n > 0 {
		if s := w.sheets[n-1]; s.OnClose != nil {
			s.OnClose()
		}
		return
	}
	if w.transcript.chosen > 0 {
		focus(w.composer.input)
		return
	}
	if w.transcript.closeFind() {
		focus(w.composer.input)
		return
	}
	w.stop()
}

// open puts a sheet on top.
func (w *Window) open(s *sheet) {
	c := w.win.Canvas()
	w.sheets = append(w.sheets, s)
	c.Unfocus() // of what the sheet lies on, which would go on blinking
	s.root.Resize(c.Size())
	c.Overlays().Add(s.root)
	w.hang(s.slot)
	if s.first != nil {
		c.Focus(s.first)
	}
}

// shut takes a sheet away, wherever it lies.
func (w *Window) shut(s *sheet) {
	for i, have := range w.sheets {
		if have == s {
			w.sheets = append(w.sheets[:i:i], w.sheets[i+1:]...)
			break
		}
	}
	// Fyne takes away all that lies over what is removed; put the rest back.
	overlays := w.win.Canvas().Overlays()
	overlays.Remove(s.root)
	for _, rest := range w.sheets {
		if !slices.Contains(overlays.List(), fyne.CanvasObject(rest.root)) {
			overlays.Add(rest.root)
		}
	}
	if n := len(w.sheets); n > 0 {
		w.hang(w.sheets[n-1].slot)
		return
	}
	w.hang(w.slot)
	focus(w.composer.input)
}

// view opens the viewer.
func (w *Window) view(p view.Part) {
	if w.viewer != nil {
		return
	}
	v := newViewer(w.clock, w.transcript.errands.runner, p)
	v.OnCopy = w.copy
	v.OnSave = w.transcript.errands.save
	v.OnClose = func() {
		v.job++ // what is still read is for nobody
		v.spin.turn(false)
		w.viewer = nil
		w.shut(v.sheet)
	}
	w.viewer = v
	w.open(v.sheet)
}
