package transcript

import (
	"goated/ui/markdown"
	"goated/ui/textview"
	md "goated/ui/view/markdown"
)

func newTextHost(t *Transcript) *textview.Host {
	return &textview.Host{
		Press:    t.Selection.press,
		Release:  t.Selection.release,
		Drag:     t.Selection.drag,
		DragEnd:  t.Selection.dragged,
		Menu:     t.Selection.menu,
		Hover:    t.Overlay.Hover,
		OverLink: func() bool { return t.Overlay.link != "" },
		Marks:    t.marksOf,
		Copy:     t.copy,
		Grow:     func() float32 { return t.View.Grow },
		Measure:  t.View.words,
		Colours:  textview.NewColours(t.run),
		Pictures: textview.NewPictures(t.run),
	}
}

// newTextView returns a view of b, which is the block part of an item of t.
func (t *Transcript) newTextView(item, part int, b md.Block, m markdown.Style) *textview.View {
	return textview.New(t.Text, item, part, b, m)
}
