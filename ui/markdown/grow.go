package markdown

import (
	"slices"

	"goated/ui/kit"
	md "goated/ui/view/markdown"
)

// Grow updates the layout of a block after its end changed. The first inner
// children or spans, and that many bytes of the next span, did not change. Grow
// returns the first line that may differ. It returns false if the block needs a
// complete layout.
func (s *Layout) Grow(b *md.Block, inner, bytes int, top, w float32, m Style) (line int, ok bool) {
	was := s.Outer
	if was == nil || was.Kind != b.Kind || was.Loose != b.Loose || was.Marker != b.Marker {
		return 0, false
	}
	switch b.Kind {
	case md.Paragraph:
		return s.growText(b, inner, bytes, 0, top, w, m)
	case md.Code:
		line, ok = s.growText(b, inner, bytes, codePad, top+codeHead, w-2*codePad, s.codeStyle())
		if ok {
			s.Height += codeFoot
			s.Shapes[0].H = s.Height - top
			s.Codes[0].Spans = b.Spans
		}
		return line, ok
	case md.List:
		inner = min(inner, len(s.steps)-1)
		if inner < 1 || s.gutterFor(b.Blocks[inner:], s.gutter, m) != s.gutter {
			return 0, false
		}
		s.Old = s.Runs
		y := s.back(inner)
		line = len(s.Lines)
		s.Outer = b
		s.Height = s.items(b, inner, 0, y, w, s.gutter, m)
		return line, true
	case md.Table:
		return s.growTable(b, min(inner, len(s.steps)-1), w, m)
	}
	return 0, false
}

func (s *Layout) growText(b *md.Block, inner, bytes int, x, y, w float32, m Style) (int, bool) {
	n := resumable(s.Lines, func(l Line) kit.Line { return l.Line }, b.Spans, m.Style.Monospace, inner, bytes)
	if n == 0 || len(b.Blocks) > 0 {
		return 0, false
	}
	t := kit.LineBreaker{Measure: s.Measure, TextSize: m.TextSize, Style: m.Style, Width: w}
	begin := s.Lines[n].Line
	s.Outer, s.Runs, s.Old = b, nil, nil
	s.Lines = s.Lines[:n]
	s.Height = s.put(t.Resume(b.Spans, begin), b.At, x, y+float32(n)*m.Leading, w, m, md.AlignLeft)
	return n, true
}

func (s *Layout) growTable(b *md.Block, inner int, w float32, m Style) (int, bool) {
	if inner < 1 || inner < s.grid.rows || s.grid.widths == nil { // it has no rows, or is a list of records
		return 0, false
	}
	s.Old, s.Runs = nil, nil
	s.grid.wanted = s.natural(b.Blocks[s.grid.rows:inner], s.grid.wanted, m)
	s.grid.least = s.least(b.Blocks[s.grid.rows:inner], s.grid.least, m)
	s.grid.rows = inner
	least := s.least(b.Blocks[inner:], s.grid.least, m)
	if span(least) > w || !slices.Equal(share(s.natural(b.Blocks[inner:], s.grid.wanted, m), least, w), s.grid.widths) {
		return 0, false
	}
	s.steps[inner].runs = 0
	y := s.back(inner)
	line := len(s.Lines)
	s.Runs, s.Outer = nil, b
	s.Height = s.rows(b, inner, 0, 0, y, s.grid.widths, m)
	return line, true
}
