package approval

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// scopeRow places the label of the scopes, the scopes, and a note in the remaining space. In a
// narrow window the scopes wrap, and the note disappears.
type scopeRow struct{}

const scopeGap = 12

// scopes returns the width of the scopes.
func (scopeRow) scopes(o []fyne.CanvasObject, width float32) float32 {
	return max(min(o[1].MinSize().Width, width-o[0].MinSize().Width-scopeGap), 0)
}

func (l scopeRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, w := range []float32{o[0].MinSize().Width, l.scopes(o, size.Width)} {
		h := kit.HeightOf(o[i], w)
		kit.Place(o[i], x, (size.Height-h)/2, w, h)
		x += w + scopeGap
	}
	h := o[2].MinSize().Height
	kit.Place(o[2], x, (size.Height-h)/2, max(size.Width-x, 0), h)
}

func (l scopeRow) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return kit.HeightOf(o[1], l.scopes(o, width))
}

func (scopeRow) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, o[1].MinSize().Height)
}
