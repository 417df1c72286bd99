package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// A sheetStack shows sheets over the page of a window; the last one is on top and
// takes all input.
type sheetStack struct {
	win  fyne.Window
	list []*kit.Sheet

	OnTop func(*kit.Sheet) // after a change; nil: no sheet is left
}

// open puts a sheet on top.
func (st *sheetStack) open(s *kit.Sheet) {
	c := st.win.Canvas()
	st.list = append(st.list, s)
	c.Unfocus() // or the cursor beneath the sheet keeps blinking
	s.Root.Resize(c.Size())
	c.Overlays().Add(s.Root)
	st.OnTop(s)
	if s.First != nil {
		c.Focus(s.First)
	}
}

// shut removes a sheet, wherever it lies.
func (st *sheetStack) shut(s *kit.Sheet) {
	if i := slices.Index(st.list, s); i >= 0 {
		st.list = append(st.list[:i:i], st.list[i+1:]...)
	}
	// Fyne removes all overlays over the one that is removed; put the rest back.
	overlays := st.win.Canvas().Overlays()
	overlays.Remove(s.Root)
	for _, rest := range st.list {
		if !slices.Contains(overlays.List(), fyne.CanvasObject(rest.Root)) {
			overlays.Add(rest.Root)
		}
	}
	st.OnTop(st.top())
}

// top returns the sheet on top; nil if there is none.
func (st *sheetStack) top() *kit.Sheet {
	if len(st.list) == 0 {
		return nil
	}
	return st.list[len(st.list)-1]
}
