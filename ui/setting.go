package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// A setting is a block as it is laid out: lines of text, shapes around them, and
// the places of what can be pressed. Like the block, it is only ever made anew.
type setting struct {
	grow   float32 // how much larger than usual letters are
	gauge  *gauge
	old    []leaf // of the setting before, whose lines may serve again
	leaves []leaf
	lines  []setLine
	shapes []shape
	codes  []codeBox
	height float32
}

// A leaf is a block that has text of its own, and its lines for one width.
type leaf struct {
	spans []view.Span
	width float32
	size  float32
	style fyne.TextStyle
	lines []textLine
}

// A setLine is a line in its place within the block.
type setLine struct {
	textLine
	x, y    float32
	at      int // where the text of its leaf begins in that of the block
	size    float32
	leading float32
	ink     fyne.ThemeColorName
}

// A shape is a rectangle or, with a name, an icon.
type shape struct {
	x, y, w, h   float32
	fill, stroke fyne.ThemeColorName
	radius       float32
	glyph        string
}

// A codeBox is where a listing is, for its button and its colours.
type codeBox struct {
	x, y, w  float32
	language string
	text     string
}

// A manner is how the text of a leaf is set.
type manner struct {
	size, leading float32
	style         fyne.TextStyle
	ink           fyne.ThemeColorName
}

// grown is m with letters that are by larger, in whole numbers: others would be
// set too wide.
func (m manner) grown(by float32) manner {
	m.leading = float32(int(m.leading*(m.size+by)/m.size + 0.5))
	m.size += by
	return m
}

func reading(ink fyne.ThemeColorName) manner { return manner{size: 14, leading: 22, ink: ink} }

// text sets spans with their first line at y, and returns where they end.
func (s *setting) text(spans []view.Span, at int, x, y, w float32, m manner, align view.Align) float32 {
	lines := s.broken(spans, w, m)
	for _, line := range lines {
		l := setLine{textLine: line, x: x, y: y, at: at, size: m.size, leading: m.leading, ink: m.ink}
		switch align {
		case view.AlignCenter:
			l.x += float32(int((w - line.width()) / 2))
		case view.AlignRight:
			l.x += w - line.width()
		}
		s.lines = append(s.lines, l)
		y += m.leading
	}
	return y
}

// broken are the lines of spans, those of before if nothing has changed.
func (s *setting) broken(spans []view.Span, w float32, m manner) []textLine {
	t := typeset{gauge: s.gauge, size: m.size, style: m.style, width: w}
	rest := spans
	if n := len(s.leaves); n < len(s.old) {
		if o := s.old[n]; o.width == w && o.size == m.size && o.style == m.style {
			if slices.Equal(o.spans, spans) {
				s.leaves = append(s.leaves, o)
				return o.lines
			}
			rest = t.resume(o, spans)
		}
	}
	lines := t.set(rest)
	s.leaves = append(s.leaves, leaf{spans, w, m.size, m.style, lines})
	return lines
}

// block sets b with its top at y, and returns where it ends.
func (s *setting) block(b *view.Block, x, y, w float32, m manner) float32 {
	switch b.Kind {
	case view.Heading:
		m.style.Bold, m.ink = true, colorText
		switch b.Level {
		case 1:
			m.size, m.leading = 19, 28
			m = m.grown(s.grow)
		case 2:
			m.size, m.leading = 16, 24
			m = m.grown(s.grow)
		}
		return s.text(b.Spans, b.At, x, y, w, m, view.AlignLeft)
	case view.Rule:
		s.shapes = append(s.shapes, shape{x: x, y: y + 8, w: w, h: 1, fill: colorBorder})
		return y + 17
	case view.Code:
		return s.code(b, x, y, w, m)
	case view.Quote:
		m.ink = colorMuted
		end := s.blocks(b.Blocks, x+16, y, w-16, m, 8)
		s.shapes = append(s.shapes, shape{x: x, y: y, w: 3, h: end - y, fill: colorEdge, radius: 1.5})
		return end
	case view.List:
		return s.list(b, x, y, w, m)
	case view.Table:
		return s.table(b, x, y, w, m)
	}
	if len(b.Blocks) > 0 {
		return s.blocks(b.Blocks, x, y, w, m, 6)
	}
	return s.text(b.Spans, b.At, x, y, w, m, view.AlignLeft)
}

func (s *setting) blocks(blocks []view.Block, x, y, w float32, m manner, gap float32) float32 {
	for i := range blocks {
		if i > 0 {
			y += gap
		}
		y = s.block(&blocks[i], x, y, w, m)
	}
	return y
}

// list sets items, each beside its mark.
func (s *setting) list(b *view.Block, x, y, w float32, m manner) float32 {
	gap, gutter := float32(4), float32(20)
	if b.Loose {
		gap = 10
	}
	for _, item := range b.Blocks {
		if item.Marker != "•" {
			gutter = max(gutter, s.gauge.width(item.Marker, m.size, m.style)+8)
		}
	}
	for i := range b.Blocks {
		item := &b.Blocks[i]
		if i > 0 {
			y += gap
		}
		s.mark(item, x, y, gutter, m)
		inner := y
		y += m.leading // of the mark, when nothing stands beside it
		for j := range item.Blocks {
			if j > 0 {
				inner += gap
			}
			inner = s.block(&item.Blocks[j], x+4+gutter, inner, max(w-4-gutter, 40), m)
			y = max(y, inner)
		}
	}
	return y
}

// mark sets what an item begins with: a bullet, a number or a box.
func (s *setting) mark(item *view.Block, x, y, gutter float32, m manner) {
	if item.Task != view.NoTask {
		box := shape{x: x + 3, y: y + (m.leading-15)/2, w: 15, h: 15, fill: colorNone, stroke: colorFaint, radius: 4}
		if item.Task == view.TaskDone {
			box.fill, box.stroke = colorPrimary, colorPrimary
			s.shapes = append(s.shapes, box)
			box = shape{x: box.x + 2, y: box.y + 2, w: 11, h: 11, fill: colorOnPrimary, glyph: "check"}
		}
		s.shapes = append(s.shapes, box)
		return
	}
	if item.Marker == "•" {
		s.shapes = append(s.shapes, shape{x: x + 8, y: y + m.leading/2 - 2, w: 5, h: 5, fill: colorFaint, radius: 2.5})
		return
	}
	m.ink = colorMuted
	at := len(s.lines)
	s.text([]view.Span{{Text: item.Marker}}, item.At, x+4, y, gutter, m, view.AlignLeft)
	for i := at; i < len(s.lines); i++ {
		s.lines[i].x += max(gutter-8-s.lines[i].width(), 0) // numbers end under each other
	}
}

// code sets a listing: its language and a button over it, on a ground of its own.
func (s *setting) code(b *view.Block, x, y, w float32, m manner) float32 {
	const head, pad, foot = 34, 14, 12
	ground := len(s.shapes)
	s.shapes = append(s.shapes, shape{x: x, y: y, w: w, fill: colorSunken, stroke: colorBorder, radius: 10})
	s.codes = append(s.codes, codeBox{x: x, y: y, w: w, language: b.Marker, text: plainText(b.Spans)})
	mono := manner{size: 13, leading: 20, ink: colorText, style: fyne.TextStyle{Monospace: true}}.grown(s.grow)
	end := s.text(b.Spans, b.At, x+pad, y+head, w-2*pad, mono, view.AlignLeft) + foot
	s.shapes[ground].h = end - y
	return end
}
