package screentest

import "fyne.io/fyne/v2"

// A VisibleText is a text and its part that no scroller hides.
type VisibleText struct {
	Text string
	At   fyne.Position
	Size fyne.Size
}

// VisibleTexts returns the visible texts in an area of the page that are drawn before a field.
// This excludes what floats over the page, which is drawn later.
func (rd *Reader) VisibleTexts(field string, x, y, width, height float32) (all []VisibleText) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	rd.visit(rd.Canvas().Content(), true, func(n *node) bool {
		if hint, ok := n.field(); ok && hint == field {
			return false
		}
		shown := n.box.within(n.clip)
		if text, ok := n.text(); ok && region.holds(shown.at) && shown.size.Width > 0 && shown.size.Height > 0 {
			all = append(all, VisibleText{text, shown.at, shown.size})
		}
		return true
	})
	return all
}
