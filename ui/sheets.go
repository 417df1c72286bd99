package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/viewer"
)

// scrollPage scrolls the top sheet, or else the transcript, by 85 % of a page.
func (w *Window) scrollPage(pages float32) {
	s := w.Transcript.View.Scroll.Scroll
	if top := w.stack.Top(); top != nil {
		if top.Body == nil {
			return
		}
		s = top.Body.Scroll
	}
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -pages*0.85*s.Size().Height)})
}

// copy puts text on the clipboard and shows a toast.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.toasts.Say("copy", "Copied")
}

// escape closes the top sheet, the selection or the search; else it stops the
// turn.
func (w *Window) escape() {
	if top := w.stack.Top(); top != nil {
		if top.OnClose != nil {
			top.OnClose()
		}
		return
	}
	if w.Transcript.Keyboard.Chosen > 0 {
		kit.Focus(w.Composer.Input)
		return
	}
	if w.Transcript.Find.Close() {
		kit.Focus(w.Composer.Input)
		return
	}
	w.Stop()
}

// open puts a sheet on top.
func (w *Window) open(s *kit.Sheet) { w.stack.Open(s) }

// shut removes a sheet from any position of the stack.
func (w *Window) shut(s *kit.Sheet) { w.stack.Shut(s) }

// topChanged moves the toasts and tooltips over the top sheet. Without a sheet it
// moves them over the page and focuses the composer.
func (w *Window) topChanged(top *kit.Sheet) {
	if top != nil {
		w.attachOverlays(top.Slot)
		return
	}
	w.attachOverlays(w.slot)
	kit.Focus(w.Composer.Input)
}

// view opens the viewer for p, unless one is open.
func (w *Window) view(p view.Part) {
	if w.viewer != nil {
		return
	}
	v := viewer.New(w.clock, w.Transcript.Actions.Runner, p)
	v.OnCopy = w.copy
	v.OnSave = w.Transcript.Actions.Save
	v.OnClose = func() {
		v.Job++ // drops the result of a read in progress
		v.Spin.Turn(false)
		w.viewer = nil
		w.shut(v.Sheet)
	}
	w.viewer = v
	w.open(v.Sheet)
}
