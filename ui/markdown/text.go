package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/richtext"
	md "goated/ui/view/markdown"
)

// Text draws a short Markdown text: paragraphs, headings, lists, code, tables and formulas. Its
// links cannot be pressed, and it fetches nothing.
func Text(text string) fyne.CanvasObject { return Marked(text, nil) }

// Marked is Text with highlighted parts. mark returns the ranges to highlight in a paragraph, in
// characters.
func Marked(text string, mark func(paragraph string) [][2]int) fyne.CanvasObject {
	return kit.Vertical(8, drawer{mark}.blocks(md.Parse(safetext.Mark(text)))...)
}

// A drawer draws the blocks of a text.
type drawer struct {
	mark func(paragraph string) [][2]int
}

func (d drawer) spans(b md.Block) *kit.Paragraph {
	p := kit.NewSpans(b.Spans, 14, 21, kit.ColorText)
	if d.mark != nil {
		p.Marks = d.mark(p.String())
	}
	return p
}

func (d drawer) blocks(all []md.Block) (parts []fyne.CanvasObject) {
	for _, b := range all {
		parts = append(parts, d.block(b))
	}
	return parts
}

func (d drawer) block(b md.Block) fyne.CanvasObject {
	switch b.Kind {
	case md.Heading:
		for i := range b.Spans {
			b.Spans[i].Bold = true
		}
		return d.spans(b)
	case md.Code:
		code := kit.NewText(richtext.PlainText(b.Spans), 12, 18, kit.ColorText)
		code.Style.Monospace = true
		return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 8), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 10}, code)
	case md.List:
		return d.list(b)
	case md.Table, md.Formula:
		return newDrawn(b)
	case md.Rule:
		return kit.NewLine()
	case md.Quote:
		return kit.Inset(kit.Margin{Left: 14}, kit.Vertical(8, d.blocks(b.Blocks)...))
	}
	if len(b.Spans) == 0 && len(b.Blocks) > 0 {
		return kit.Vertical(8, d.blocks(b.Blocks)...)
	}
	return d.spans(b)
}

// list draws items beside their markers. The markers have a common width and are aligned right.
func (d drawer) list(b md.Block) fyne.CanvasObject {
	var rows, bodies []fyne.CanvasObject
	var markers []*kit.Label
	gutter := float32(0)
	for _, item := range b.Blocks {
		m := kit.NewLabel(marker(item), 14, kit.ColorMuted)
		gutter = max(gutter, m.MinSize().Width)
		m.Right = true
		body := kit.Vertical(4, d.blocks(item.Blocks)...)
		if len(item.Blocks) == 0 {
			body = kit.Vertical(4, d.spans(item))
		}
		markers, bodies = append(markers, m), append(bodies, body)
	}
	for i, body := range bodies {
		rows = append(rows, container.New(kit.Row{Gap: 8, Flex: body, Top: true}, kit.Sized(gutter, 21, markers[i]), body))
	}
	return kit.Vertical(4, rows...)
}

func marker(b md.Block) string {
	switch b.Task {
	case md.TaskOpen:
		return "☐"
	case md.TaskDone:
		return "☑"
	}
	return b.Marker
}
