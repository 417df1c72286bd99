package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/viewer"
)

// leaf scrolls what is in front by most of a page: a sheet, or the transcript.
func (w *Window) leaf(pages float32) {
	s := w.Transcript.View.Scroll.Scroll
	if top := w.stack.Top(); top != nil {
		if top.Body == nil {
			return
		}
		s = top.Body.Scroll
	}
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -pages*0.85*s.Size().Height)})
}

// copy puts text on the clipboard.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.toasts.Say("copy", "Copied")
}

// escape closes what is on top, or else stops the turn.
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

// shut removes a sheet, wherever it lies.
func (w *Window) shut(s *kit.Sheet) { w.stack.Shut(s) }

// hangOn puts toasts and tooltips over the sheet on top; without a sheet, over the
// page, which takes the keyboard back.
func (w *Window) hangOn(top *kit.Sheet) {
	if top != nil {
		w.hang(top.Slot)
		return
	}
	w.hang(w.slot)
	kit.Focus(w.Composer.Input)
}

// view opens the viewer.
func (w *Window) view(p view.Part) {
	if w.viewer != nil {
		return
	}
	v := viewer.New(w.clock, w.Transcript.Actions.Runner, p)
	v.OnCopy = w.copy
	v.OnSave = w.Transcript.Actions.Save
	v.OnClose = func() {
		v.Job++ // what is still read is for nobody
		v.Spin.Turn(false)
		w.viewer = nil
		w.shut(v.Sheet)
	}
	w.viewer = v
	w.open(v.Sheet)
}
