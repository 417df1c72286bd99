package transcript

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

const (
	verbatimRow = 18
	maxVerbatim = 22 * verbatimRow
	// A text up to maxSelectable bytes and maxSelectableLines is selectable; a longer one is a list of rows.
	maxSelectable      = 4 << 10
	maxSelectableLines = 40
)

// newVerbatim shows text unchanged in a monospace font. past receives scroll
// events that the text does not use.
func newVerbatim(text string, past func(*fyne.ScrollEvent)) fyne.CanvasObject {
	if len(text) <= maxSelectable && strings.Count(text, "\n") < maxSelectableLines {
		p := kit.NewText(text, 12, verbatimRow, kit.ColorText)
		p.Style.Monospace = true
		return kit.Inset(kit.Margin{Top: 2, Right: 14, Bottom: 12, Left: 14}, p)
	}
	var lines *view.Lines
	columns := 0
	r := kit.NewList(verbatimRow, maxVerbatim, func() fyne.CanvasObject { return kit.NewLabel("", 12, kit.ColorText).Mono() }, func(i int, o fyne.CanvasObject) {
		start, end := lines.Span(i)
		o.(*kit.Label).Set(view.Shown(text[start:end]))
	})
	r.OnOverscroll = past
	r.OnWidth = func(width float32) {
		fits := max(int((width-kit.ListBarWidth)/kit.MonoAdvance(12)), 10)
		if fits != columns {
			columns, lines = fits, view.NewLines(text, fits)
			r.Set(lines.Len())
		}
	}
	return kit.Inset(kit.Margin{Top: 2, Right: 4, Bottom: 12, Left: 14}, r.Root)
}
