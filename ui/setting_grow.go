package ui

import (
	"slices"

	"goated/ui/kit"
	"goated/ui/view"
)

// grow sets a block that the setting already is of, after its end has changed:
// so many of its children or spans, and bytes of the next span, are as they
// were. It returns the first line that may be another one, and false if all of
// it has to be set anew.
func (s *setting) grow(b *view.Block, inner, bytes int, top, w float32, m manner) (line int, ok bool) {
	was := s.outer
	if was == nil || was.Kind != b.Kind || was.Loose != b.Loose || was.Marker != b.Marker {
		return 0, false
	}
	switch b.Kind {
	case view.Paragraph:
		return s.growText(b, inner, bytes, 0, top, w, m)
	case view.Code:
		line, ok = s.growText(b, inner, bytes, codePad, top+codeHead, w-2*codePad, codeManner.grown(s.larger))
		if ok {
			s.height += codeFoot
			s.shapes[0].h = s.height - top
			s.codes[0].spans = b.Spans
		}
		return line, ok
	case view.List:
		inner = min(inner, len(s.steps)-1)
		if inner < 1 || s.gutterFor(b.Blocks[inner:], s.gutter, m) != s.gutter {
			return 0, false
		}
		s.old = s.leaves
		y := s.back(inner)
		line = len(s.lines)
		s.outer = b
		s.height = s.items(b, inner, 0, y, w, s.gutter, m)
		return line, true
	case view.Table:
		return s.growTable(b, min(inner, len(s.steps)-1), w, m)
	}
	return 0, false
}

func (s *setting) growText(b *view.Block, inner, bytes int, x, y, w float32, m manner) (int, bool) {
	n := resumable(s.lines, func(l setLine) kit.Line { return l.Line }, b.Spans, m.style.Monospace, inner, bytes)
	if n == 0 || len(b.Blocks) > 0 {
		return 0, false
	}
	t := kit.LineBreaker{Gauge: s.gauge, TextSize: m.size, Style: m.style, Width: w}
	begin := s.lines[n].Line
	s.outer, s.leaves, s.old = b, nil, nil
	s.lines = s.lines[:n]
	s.height = s.put(t.Resume(b.Spans, begin), b.At, x, y+float32(n)*m.leading, w, m, view.AlignLeft)
	return n, true
}

func (s *setting) growTable(b *view.Block, inner int, w float32, m manner) (int, bool) {
	if inner < 1 || inner < s.wanted {
		return 0, false
	}
	s.old, s.leaves = nil, nil
	s.want = s.wish(b.Blocks[s.wanted:inner], s.want, m)
	s.wanted = inner
	if !slices.Equal(share(s.wish(b.Blocks[inner:], s.want, m), w), s.columns) {
		return 0, false
	}
	s.steps[inner].leaves = 0
	y := s.back(inner)
	line := len(s.lines)
	s.leaves, s.outer = nil, b
	s.height = s.rows(b, inner, 0, 0, y, s.columns, m)
	return line, true
}
