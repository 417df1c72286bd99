package screentest

import "fyne.io/fyne/v2"

// A Spot is a text with the part of it that no scroller hides.
type Spot struct {
	Text string
	At   fyne.Position
	Size fyne.Size
}

// Spots are the texts in sight in a part of the page that are drawn before a field. What
// floats over the page is drawn later.
func (rd *Reader) Spots(field string, x, y, width, height float32) (all []Spot) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	rd.visit(rd.Canvas().Content(), true, func(n *node) bool {
		if hint, ok := n.field(); ok && hint == field {
			return false
		}
		shown := n.box.within(n.clip)
		if text, ok := n.text(); ok && region.holds(shown.at) && shown.size.Width > 0 && shown.size.Height > 0 {
			all = append(all, Spot{text, shown.at, shown.size})
		}
		return true
	})
	return all
}
