package markdown

import (
	"slices"

	"goated/ui/kit"
	md "goated/ui/view/markdown"
)

// Grow updates the layout of a block after its end changed. The first inner children or spans did
// not change, nor did the first bytes bytes of the next span. Grow returns the first line that
// may differ. It returns false if the block needs a complete layout.
func (l *Layout) Grow(b *md.Block, inner, bytes int, top, w float32, m Style) (line int, ok bool) {
	was := l.Outer
	if was == nil || was.Kind != b.Kind || was.Loose != b.Loose || was.Marker != b.Marker {
		return 0, false
	}
	switch b.Kind {
	case md.Paragraph:
		return l.growText(b, inner, bytes, 0, top, w, m)
	case md.Code:
		line, ok = l.growText(b, inner, bytes, codePad, top+codeHead, w-2*codePad, l.codeStyle())
		if ok {
			l.Height += codeFoot
			l.Shapes[0].H = l.Height - top
			l.Codes[0].Spans = b.Spans
		}
		return line, ok
	case md.List:
		inner = min(inner, len(l.steps)-1)
		if inner < 1 || l.gutterFor(b.Blocks[inner:], l.gutter, m) != l.gutter {
			return 0, false
		}
		l.Old = l.Runs
		y := l.back(inner)
		line = len(l.Lines)
		l.Outer = b
		l.Height = l.items(b, inner, 0, y, w, l.gutter, m)
		return line, true
	case md.Table:
		return l.growTable(b, min(inner, len(l.steps)-1), w, m)
	}
	return 0, false
}

func (l *Layout) growText(b *md.Block, inner, bytes int, x, y, w float32, m Style) (int, bool) {
	n := resumable(l.Lines, func(l Line) kit.Line { return l.Line }, b.Spans, m.Style.Monospace, inner, bytes)
	if n == 0 || len(b.Blocks) > 0 {
		return 0, false
	}
	t := kit.LineBreaker{Measure: l.Measure, TextSize: m.TextSize, Style: m.Style, Width: w}
	begin := l.Lines[n].Line
	l.Outer, l.Runs, l.Old = b, nil, nil
	l.Lines = l.Lines[:n]
	l.Height = l.put(t.Resume(b.Spans, begin), b.At, x, y+float32(n)*m.Leading, w, m, md.AlignLeft)
	return n, true
}

func (l *Layout) growTable(b *md.Block, inner int, w float32, m Style) (int, bool) {
	if inner < 1 || inner < l.grid.rows || l.grid.widths == nil { // it has no rows, or is shown as a list of records
		return 0, false
	}
	l.Old, l.Runs = nil, nil
	l.grid.wanted = l.natural(b.Blocks[l.grid.rows:inner], l.grid.wanted, m)
	l.grid.least = l.least(b.Blocks[l.grid.rows:inner], l.grid.least, m)
	l.grid.rows = inner
	least := l.least(b.Blocks[inner:], l.grid.least, m)
	if span(least) > w || !slices.Equal(share(l.natural(b.Blocks[inner:], l.grid.wanted, m), least, w), l.grid.widths) {
		return 0, false
	}
	l.steps[inner].runs = 0
	y := l.back(inner)
	line := len(l.Lines)
	l.Runs, l.Outer = nil, b
	l.Height = l.rows(b, inner, 0, 0, y, l.grid.widths, m)
	return line, true
}
