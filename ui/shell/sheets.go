package shell

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// Sheets are the sheets over the page of a window; the last one is on top and
// takes all input.
type Sheets struct {
	Window fyne.Window
	All    []*kit.Sheet // do not change it: call Open and Shut

	OnTop func(*kit.Sheet) // after a change; nil: no sheet is left
}

// Open puts a sheet on top.
func (st *Sheets) Open(s *kit.Sheet) {
	c := st.Window.Canvas()
	st.All = append(st.All, s)
	c.Unfocus() // or the cursor beneath the sheet keeps blinking
	s.Root.Resize(c.Size())
	c.Overlays().Add(s.Root)
	st.OnTop(s)
	if s.First != nil {
		c.Focus(s.First)
	}
}

// Shut removes a sheet, wherever it lies.
func (st *Sheets) Shut(s *kit.Sheet) {
	if i := slices.Index(st.All, s); i >= 0 {
		st.All = append(st.All[:i:i], st.All[i+1:]...)
	}
	// Fyne removes all overlays over the one that is removed; put the rest back.
	overlays := st.Window.Canvas().Overlays()
	overlays.Remove(s.Root)
	for _, rest := range st.All {
		if !slices.Contains(overlays.List(), fyne.CanvasObject(rest.Root)) {
			overlays.Add(rest.Root)
		}
	}
	st.OnTop(st.Top())
}

// Top returns the sheet on top; nil if there is none.
func (st *Sheets) Top() *kit.Sheet {
	if len(st.All) == 0 {
		return nil
	}
	return st.All[len(st.All)-1]
}
