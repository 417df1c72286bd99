package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/view"
)

// A setting is a block as it is laid out: lines of text, shapes around them, and
// the places of what can be pressed. Like the block, it is only ever made anew.
type setting struct {
	larger   float32 // how much larger than usual letters are
	gauge    *kit.WordMeasure
	old      []leaf // of the setting before, whose lines may serve again
	leaves   []leaf
	lines    []setLine
	shapes   []shape
	codes    []codeBox
	pictures []pictureBox
	height   float32

	outer   *view.Block // the block that is set, whose children are noted
	steps   []step      // where they begin
	gutter  float32     // of a list
	columns []float32   // of a table
	want    []float32   // what its finished rows would like them to be
	wanted  int         // how many rows those are
	tints   func(view.Block) []richtext.Span

	lineBounds, shapeBounds []bounds
	indexed, indexedShapes  int // how many those are of
}

// A step is how much there was of a setting before a child of its block.
type step struct {
	y                                      float32
	lines, shapes, leaves, codes, pictures int
}

func (s *setting) step(b *view.Block, y float32) {
	if b == s.outer {
		s.steps = append(s.steps, step{y, len(s.lines), len(s.shapes), len(s.leaves), len(s.codes), len(s.pictures)})
	}
}

// back takes away what has been set since a child, and returns where it was.
func (s *setting) back(child int) float32 {
	t := s.steps[child]
	s.indexedShapes = min(s.indexedShapes, t.shapes)
	s.pictures = s.pictures[:t.pictures]
	s.lines, s.shapes, s.leaves, s.codes, s.steps = s.lines[:t.lines], s.shapes[:t.shapes], s.leaves[:t.leaves], s.codes[:t.codes], s.steps[:child]
	return t.y
}

// A leaf is a block that has text of its own, and its lines for one width.
type leaf struct {
	spans []richtext.Span
	width float32
	size  float32
	style fyne.TextStyle
	lines []kit.Line
}

// A setLine is a line in its place within the block.
type setLine struct {
	kit.Line
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
	spans    []richtext.Span
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
func (s *setting) text(spans []richtext.Span, at int, x, y, w float32, m manner, align view.Align) float32 {
	return s.put(s.broken(spans, w, m), at, x, y, w, m, align)
}

// put places lines under each other.
func (s *setting) put(lines []kit.Line, at int, x, y, w float32, m manner, align view.Align) float32 {
	for _, line := range lines {
		l := setLine{Line: line, x: x, y: y, at: at, size: m.size, leading: m.leading, ink: m.ink}
		switch align {
		case view.AlignCenter:
			l.x += float32(int((w - line.Width()) / 2))
		case view.AlignRight:
			l.x += w - line.Width()
		}
		s.lines = append(s.lines, l)
		y += m.leading
	}
	return y
}

// broken are the lines of spans, those of before if nothing has changed.
func (s *setting) broken(spans []richtext.Span, w float32, m manner) []kit.Line {
	t := kit.LineBreaker{Gauge: s.gauge, TextSize: m.size, Style: m.style, Width: w}
	var begin kit.Line
	if n := len(s.leaves); n < len(s.old) {
		if o := s.old[n]; o.width == w && o.size == m.size && o.style == m.style {
			inner, bytes := agree(o.spans, spans)
			if inner == len(spans) && inner == len(o.spans) {
				s.leaves = append(s.leaves, o)
				return o.lines
			}
			if k := resumable(o.lines, func(l kit.Line) kit.Line { return l }, spans, m.style.Monospace, inner, bytes); k > 0 {
				t.Lines, begin = o.lines[:k:k], o.lines[k]
			}
		}
	}
	lines := t.Resume(spans, begin)
	s.leaves = append(s.leaves, leaf{spans, w, m.size, m.style, lines})
	return lines
}

// block sets b with its top at y, and returns where it ends.
func (s *setting) block(b *view.Block, x, y, w float32, m manner) float32 {
	switch b.Kind {
	case view.Heading:
		m.style.Bold, m.ink = true, kit.ColorText
		switch b.Level {
		case 1:
			m.size, m.leading = 19, 28
			m = m.grown(s.larger)
		case 2:
			m.size, m.leading = 16, 24
			m = m.grown(s.larger)
		}
		return s.text(b.Spans, b.At, x, y, w, m, view.AlignLeft)
	case view.Rule:
		s.shapes = append(s.shapes, shape{x: x, y: y + 8, w: w, h: 1, fill: kit.ColorBorder})
		return y + 17
	case view.Code:
		return s.code(b, x, y, w)
	case view.Image:
		return s.picture(b, x, y, w, m)
	case view.Quote:
		m.ink = kit.ColorMuted
		end := s.blocks(b.Blocks, x+16, y, w-16, m, 8)
		s.shapes = append(s.shapes, shape{x: x, y: y, w: 3, h: end - y, fill: kit.ColorEdge, radius: 1.5})
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
	gutter := s.gutterFor(b.Blocks, 20, m)
	if b == s.outer {
		s.gutter = gutter
	}
	return s.items(b, 0, x, y, w, gutter, m)
}

// gutterFor is the room that the marks of items need.
func (s *setting) gutterFor(items []view.Block, least float32, m manner) float32 {
	for _, item := range items {
		if item.Marker != "•" {
			least = max(least, s.gauge.Width(item.Marker, m.size, m.style)+8)
		}
	}
	return least
}

func (s *setting) items(b *view.Block, first int, x, y, w, gutter float32, m manner) float32 {
	gap := float32(4)
	if b.Loose {
		gap = 10
	}
	for i := first; i < len(b.Blocks); i++ {
		item := &b.Blocks[i]
		s.step(b, y)
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
		box := shape{x: x + 3, y: y + (m.leading-15)/2, w: 15, h: 15, fill: kit.ColorNone, stroke: kit.ColorFaint, radius: 4}
		if item.Task == view.TaskDone {
			box.fill, box.stroke = kit.ColorPrimary, kit.ColorPrimary
			s.shapes = append(s.shapes, box)
			box = shape{x: box.x + 2, y: box.y + 2, w: 11, h: 11, fill: kit.ColorOnPrimary, glyph: "check"}
		}
		s.shapes = append(s.shapes, box)
		return
	}
	if item.Marker == "•" {
		s.shapes = append(s.shapes, shape{x: x + 8, y: y + m.leading/2 - 2, w: 5, h: 5, fill: kit.ColorFaint, radius: 2.5})
		return
	}
	m.ink = kit.ColorMuted
	at := len(s.lines)
	s.text([]richtext.Span{{Text: item.Marker}}, item.At, x+4, y, gutter, m, view.AlignLeft)
	for i := at; i < len(s.lines); i++ {
		s.lines[i].x += max(gutter-8-s.lines[i].Width(), 0) // numbers end under each other
	}
}

// The room in a listing around its lines.
const codeHead, codePad, codeFoot = 34, 14, 12

var codeManner = manner{size: 13, leading: 20, ink: kit.ColorText, style: fyne.TextStyle{Monospace: true}}

// code sets a listing: its language and a button over it, on a ground of its own.
func (s *setting) code(b *view.Block, x, y, w float32) float32 {
	ground := len(s.shapes)
	s.shapes = append(s.shapes, shape{x: x, y: y, w: w, fill: kit.ColorSunken, stroke: kit.ColorBorder, radius: 10})
	spans := b.Spans
	if s.tints != nil {
		spans = s.tints(*b)
	}
	s.codes = append(s.codes, codeBox{x: x, y: y, w: w, language: b.Marker, spans: spans})
	end := s.text(spans, b.At, x+codePad, y+codeHead, w-2*codePad, codeManner.grown(s.larger), view.AlignLeft) + codeFoot
	s.shapes[ground].h = end - y
	return end
}
