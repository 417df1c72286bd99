package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// A textHost is everything that a text view needs of the transcript.
type textHost struct {
	press, release func(*desktop.MouseEvent)
	drag           func(*fyne.DragEvent)
	dragEnd        func()
	menu           func(at fyne.Position, code string) // at is absolute
	hover          func(item int, link string)
	overLink       func() bool // the pointer is on a link
	marks          func(item, part int) []mark
	copy           func(text string)
	grow           func() float32 // points added to the usual text size
	measure        *kit.WordMeasure
	colours        *colours
	pictures       *pictures
}

func newTextHost(t *Transcript) *textHost {
	return &textHost{
		press:    t.Selection.press,
		release:  t.Selection.release,
		drag:     t.Selection.drag,
		dragEnd:  t.Selection.dragged,
		menu:     t.Selection.menu,
		hover:    t.Overlay.Hover,
		overLink: func() bool { return t.Overlay.link != "" },
		marks:    t.marksOf,
		copy:     t.copy,
		grow:     func() float32 { return t.View.Grow },
		measure:  t.View.words,
		colours:  &t.Colours,
		pictures: &t.pictures,
	}
}

// NewTextView returns a view of block b, the part of an item of t.
func (t *Transcript) NewTextView(item, part int, b md.Block, m markdown.Style) *TextView {
	return newTextView(t.host, item, part, b, m)
}
