package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"goated/ui/kit"
)

// Sheets is the stack of sheets over the page of a window. The last sheet is on top and receives
// all input. Sheets belongs to the UI goroutine.
type Sheets struct {
	Window fyne.Window
	All    []*kit.Sheet // read-only: call Open and Shut to change it

	left   map[*kit.Sheet]fyne.Focusable // what was focused below a sheet when the sheet opened
	picker *dialog.FileDialog            // the open file dialog; nil if there is none

	OnTop func(*kit.Sheet) // called after each change; the sheet is nil if none is left
}

// Open puts a sheet on top.
func (st *Sheets) Open(s *kit.Sheet) {
	c := st.Window.Canvas()
	if below := c.Focused(); below != nil && len(st.All) > 0 {
		if st.left == nil {
			st.left = make(map[*kit.Sheet]fyne.Focusable)
		}
		st.left[s] = below
	}
	st.All = append(st.All, s)
	c.Unfocus() // otherwise the cursor behind the sheet keeps blinking
	s.Root.Resize(c.Size())
	c.Overlays().Add(s.Root)
	st.OnTop(s)
	if s.First != nil {
		c.Focus(s.First)
	}
}

// Shut removes a sheet from any position of the stack. The sheet below gets back the focus that
// it had.
func (st *Sheets) Shut(s *kit.Sheet) {
	top := st.Top() == s
	focus := st.left[s]
	delete(st.left, s)
	if i := slices.Index(st.All, s); i >= 0 {
		st.All = append(st.All[:i:i], st.All[i+1:]...)
	}
	// Fyne also removes all overlays above the removed one; put them back.
	overlays := st.Window.Canvas().Overlays()
	overlays.Remove(s.Root)
	for _, rest := range st.All {
		if !slices.Contains(overlays.List(), fyne.CanvasObject(rest.Root)) {
			overlays.Add(rest.Root)
		}
	}
	st.OnTop(st.Top())
	if top && focus != nil && st.Top() != nil {
		st.Window.Canvas().Focus(focus)
	}
}

// Focused returns the focused object of a sheet, or the object that gets the focus back when the
// sheet above closes. It returns nil if there is none.
func (st *Sheets) Focused(s *kit.Sheet) fyne.Focusable {
	if above := st.above(s); above != nil {
		return st.left[above]
	}
	return st.Window.Canvas().Focused()
}

// Focus focuses an object of a sheet. If another sheet is above it, the object gets the focus
// when that sheet closes.
func (st *Sheets) Focus(s *kit.Sheet, o fyne.Focusable) {
	above := st.above(s)
	switch {
	case above == nil:
		kit.Focus(o)
	case st.left == nil:
		st.left = map[*kit.Sheet]fyne.Focusable{above: o}
	default:
		st.left[above] = o
	}
}

// above returns the sheet directly above s, or nil if s is on top.
func (st *Sheets) above(s *kit.Sheet) *kit.Sheet {
	if i := slices.Index(st.All, s); i >= 0 && i+1 < len(st.All) {
		return st.All[i+1]
	}
	return nil
}

// LeaveSheets closes all sheets, from the top down, and reports whether it did. It closes none while
// a file dialog is open, or while a sheet holds what the user entered.
func (s *Shell) LeaveSheets() bool {
	st := s.Sheets
	if st.Picking() {
		return false
	}
	for _, sheet := range slices.Backward(st.All) {
		if sheet.Holds != nil && sheet.Holds() {
			s.Toasts.Say("alert", "Finish what you typed here first, or press Esc to discard it.")
			return false
		}
	}
	for _, sheet := range slices.Backward(slices.Clone(st.All)) {
		if sheet.OnClose != nil && slices.Contains(st.All, sheet) { // closing one may close others
			sheet.OnClose()
		}
	}
	return true
}

// Top returns the sheet on top, or nil if there is none.
func (st *Sheets) Top() *kit.Sheet {
	if len(st.All) == 0 {
		return nil
	}
	return st.All[len(st.All)-1]
}
