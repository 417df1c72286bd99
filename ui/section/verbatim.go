package section

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

const (
	verbatimRow = 18
	maxVerbatim = 22 * verbatimRow
	// A text of at most maxSelectable bytes and maxSelectableLines lines is selectable. A longer
	// text is a list of rows.
	maxSelectable      = 4 << 10
	maxSelectableLines = 40
)

// A verbatim shows text unchanged in a monospace font. It is a paragraph or a list.
type verbatim struct {
	root      fyne.CanvasObject
	text      string
	paragraph *kit.Paragraph
	list      *virtual.List
	lines     *view.Lines // the rows of list
	found     int         // the byte offset of the mark in text; -1: none
}

// newVerbatim returns a view of text. past receives scroll events that the view does not handle.
func newVerbatim(text string, past func(*fyne.ScrollEvent)) *verbatim {
	v := &verbatim{text: text, found: -1}
	if len(text) <= maxSelectable && strings.Count(text, "\n") < maxSelectableLines {
		v.paragraph = kit.NewText(text, 12, verbatimRow, kit.ColorText)
		v.paragraph.Style.Monospace = true
		v.root = kit.Inset(kit.Margin{Top: 2, Right: 14, Bottom: 12, Left: 14}, v.paragraph)
		return v
	}
	columns := 0
	v.list = virtual.NewList(verbatimRow, maxVerbatim, newVerbatimRow, v.bind)
	v.list.OnOverscroll = past
	v.list.OnWidth = func(width float32) {
		fits := max(int((width-virtual.ListBarWidth)/kit.MonoAdvance(12)), 10)
		if fits != columns {
			columns, v.lines = fits, view.NewLines(text, fits)
			v.list.Set(v.lines.Len())
		}
	}
	v.root = kit.Inset(kit.Margin{Top: 2, Right: 4, Bottom: 12, Left: 14}, v.list.Root)
	return v
}

func newVerbatimRow() fyne.CanvasObject {
	return container.New(kit.Margin{}, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0), kit.NewLabel("", 12, kit.ColorText).Mono())
}

func (v *verbatim) bind(i int, o fyne.CanvasObject) {
	row := o.(*fyne.Container)
	fill := kit.ColorNone
	if v.found >= 0 && v.lines.At(v.found) == i {
		fill = kit.ColorHere
	}
	row.Objects[0].(*kit.Panel).Paint(fill, kit.ColorNone)
	start, end := v.lines.Span(i)
	row.Objects[1].(*kit.Label).Set(view.SingleLine(v.text[start:end]))
}

// mark marks the characters between from and to, or the row where they begin, and scrolls to the
// mark. It reports whether they are shown.
func (v *verbatim) mark(from, to int) bool {
	known := from < to && to <= utf8.RuneCountInString(v.text)
	if v.paragraph != nil {
		v.paragraph.Marks = nil
		if known {
			v.paragraph.Marks = [][2]int{{from, to}}
		}
		v.paragraph.Refresh()
		return known
	}
	v.found = -1
	if known = known && v.lines != nil; known {
		v.found = len(string([]rune(v.text)[:from]))
		v.list.Reveal(v.lines.At(v.found))
	}
	v.list.Redraw()
	return known
}

// marked returns the object that contains the mark, and the distance of the mark from the top of
// the object.
func (v *verbatim) marked() (o fyne.CanvasObject, down float32) {
	if v.paragraph != nil {
		return v.paragraph, v.paragraph.LineTop(v.paragraph.Marks[0][0])
	}
	return v.list.Root, v.list.RowTop(v.lines.At(v.found))
}
