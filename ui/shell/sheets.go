package shell

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// Sheets is the stack of sheets over the page of a window. The last sheet is on top and receives
// all input. Sheets belongs to the UI goroutine.
type Sheets struct {
	Window fyne.Window
	All    []*kit.Sheet // read-only: call Open and Shut to change it

	left    map[*kit.Sheet]fyne.Focusable // what was focused below a sheet when the sheet opened
	pickers []*picker                     // the open file dialogs, from the lowest

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
	c := st.Window.Canvas()
	var focus fyne.Focusable
	switch top := st.Top(); {
	case top == s:
		focus = st.left[s]
	case top != nil && kit.HasFocus(top.Root):
		focus = c.Focused() // Fyne forgets it when the sheet below closes
	}
	delete(st.left, s)
	if i := slices.Index(st.All, s); i >= 0 {
		st.All = append(st.All[:i:i], st.All[i+1:]...)
	}
	st.closePickers(s)
	c.Overlays().Remove(s.Root)
	st.restack()
	st.OnTop(st.Top())
	if focus != nil && st.Top() != nil {
		c.Focus(focus)
	}
}

// restack puts back the sheets and the file dialogs that Fyne has removed. With an overlay it also
// removes all overlays above it.
func (st *Sheets) restack() {
	overlays := st.Window.Canvas().Overlays()
	put := func(o fyne.CanvasObject) {
		if !slices.Contains(overlays.List(), o) {
			overlays.Add(o)
		}
	}
	for _, s := range slices.Concat([]*kit.Sheet{nil}, st.All) {
		if s != nil {
			put(s.Root)
		}
		for _, p := range st.pickers {
			if p.over == s {
				for _, o := range p.layers {
					put(o)
				}
			}
		}
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
