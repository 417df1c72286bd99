package ui

import (
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/viewer"
)

// scrollPage scrolls by 85 % of a page. It scrolls the top sheet if there is one, otherwise the
// open question or the transcript.
func (w *Window) scrollPage(pages float32) {
	if w.shell.Sheets.Top() == nil && w.shell.Main.Page() == nil && w.chats.Questions.Page(pages) {
		return
	}
	if s := scrolled(w); s != nil {
		s.By(pages * 0.85 * s.Size().Height)
	}
}

// scrollToEnd scrolls the top sheet, or the transcript without a sheet, to its end. If way is
// negative, it scrolls to the beginning.
func scrollToEnd(w *Window, way float32) {
	s := scrolled(w)
	if s == nil {
		return
	}
	s.By(way * max(s.Content.Size().Height, 1))
	if s == w.chats.Transcript.View.Scroll.Scroll && way > 0 {
		w.chats.Transcript.View.ToLatest()
	}
}

// scrolled returns the area that keys scroll. It returns nil if the sheet, or a page in place
// of the conversation, handles the keys itself.
func scrolled(w *Window) *kit.Scroll {
	top := w.shell.Sheets.Top()
	switch {
	case top != nil && top.Body == nil, top == nil && w.shell.Main.Page() != nil:
		return nil
	case top != nil:
		return top.Body.Scroll
	}
	return w.chats.Transcript.View.Scroll.Scroll
}

// copy puts text on the clipboard and shows a toast.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.shell.Toasts.Say("copy", "Copied")
}

// escape closes the top sheet, the selection or the search. If none is open, it declines the
// open question, or stops the turn.
func (w *Window) escape() {
	if w.shell.Sheets.ClosePicker() {
		return
	}
	if top := w.shell.Sheets.Top(); top != nil {
		if top.OnEscape != nil && top.OnEscape() {
			return
		}
		if top.OnClose != nil {
			top.OnClose()
		}
		return
	}
	if w.closeDrawer() || w.shell.Main.Close() {
		return
	}
	if w.chats.Transcript.Edited() != nil {
		w.chats.Transcript.CancelEdit()
		return
	}
	if w.chats.Transcript.Keyboard.Chosen > 0 {
		kit.Focus(w.chats.Composer.Input)
		return
	}
	if w.chats.Transcript.Find.Close() {
		kit.Focus(w.chats.Composer.Input)
		return
	}
	if !w.chats.Questions.Decline() {
		w.chats.Stop()
	}
}

// topChanged moves the toasts and tooltips onto the top sheet. Without a sheet it moves them
// onto the page and focuses the page or the composer.
func (w *Window) topChanged(top *kit.Sheet) {
	if top != nil {
		w.attachOverlays(top.Slot)
		return
	}
	w.attachOverlays(w.frame.slot)
	w.pages.refocus()
}

// view opens the viewer for p, unless a viewer is open already.
func (w *Window) view(p view.Part) {
	if w.frame.viewer != nil {
		return
	}
	v := viewer.New(w.shell.Clock, w.chats.Transcript.Actions.Runner, p)
	v.OnCopy = w.copy
	v.OnSave = w.chats.Transcript.Actions.Save
	v.OnClose = func() {
		v.Stop()
		w.frame.viewer = nil
		w.shell.Sheets.Shut(v.Sheet)
	}
	w.frame.viewer = v
	w.shell.Sheets.Open(v.Sheet)
}
