package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

const (
	verbatimRow  = 18
	verbatimMost = 22 * verbatimRow
	// A text of at most this is set whole, so that it can be selected; a longer
	// one row by row as it comes into sight.
	proseBytes = 4 << 10
	proseLines = 40
)

// newVerbatim shows text as it is, in a typeface whose characters are all as
// wide. past gets the wheel where there is nothing to scroll.
func newVerbatim(text string, past func(*fyne.ScrollEvent)) fyne.CanvasObject {
	if len(text) <= proseBytes && strings.Count(text, "\n") < proseLines {
		p := newText(text, 12, verbatimRow, colorText)
		p.style.Monospace = true
		return inset(margin{2, 14, 12, 14}, p)
	}
	var lines *view.Lines
	columns := 0
	r := newRoll(verbatimRow, verbatimMost, func() fyne.CanvasObject { return newLabel("", 12, colorText).mono() }, func(i int, o fyne.CanvasObject) {
		start, end := lines.Span(i)
		o.(*label).set(view.Shown(text[start:end]))
	})
	r.OnPast = past
	r.OnWidth = func(width float32) {
		fits := max(int((width-rollBarWidth)/monoAdvance(12)), 10)
		if fits != columns {
			columns, lines = fits, view.NewLines(text, fits)
			r.set(lines.Len())
		}
	}
	return inset(margin{2, 4, 12, 14}, r.root)
}
