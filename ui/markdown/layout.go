package markdown

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/richtext"
	md "goated/ui/view/markdown"
)

// A Layout is a block for one width: lines of text, the shapes around them, and
// the boxes of code and pictures. Code outside the package reads it; only Block
// and Grow change it.
type Layout struct {
	Larger   float32 // points added to the usual text size
	Measure  *kit.WordMeasure
	Old      []Run // runs of the layout before, whose lines may be reused
	Runs     []Run
	Lines    []Line
	Shapes   []Shape
	Codes    []CodeBox
	Pictures []PictureBox
	Height   float32

	Outer  *md.Block // the outermost block, whose children have steps
	steps  []step    // the state before each child
	gutter float32   // of a list
	grid   tableState
	Tints  func(md.Block) []richtext.Span
	Bounds index
}

// A tableState keeps the widths of a table that grows; none for a list of records.
type tableState struct {
	widths []float32 // of the columns
	wanted []float32 // the widest cells of its finished rows
	least  []float32 // the widest words of these
	rows   int       // the number of finished rows in wanted and least
}

// A step is the size of a layout before a child of its block.
type step struct {
	y                                    float32
	lines, shapes, runs, codes, pictures int
}

func (s *Layout) step(b *md.Block, y float32) {
	if b == s.Outer {
		s.steps = append(s.steps, step{y, len(s.Lines), len(s.Shapes), len(s.Runs), len(s.Codes), len(s.Pictures)})
	}
}

// back removes the layout from a child on, and returns the top of that child.
func (s *Layout) back(child int) float32 {
	t := s.steps[child]
	s.Bounds.nShapes = min(s.Bounds.nShapes, t.shapes)
	s.Pictures = s.Pictures[:t.pictures]
	s.Lines, s.Shapes, s.Runs, s.Codes, s.steps = s.Lines[:t.lines], s.Shapes[:t.shapes], s.Runs[:t.runs], s.Codes[:t.codes], s.steps[:child]
	return t.y
}

// A Run is a block with text of its own, and its lines for one width.
type Run struct {
	spans    []richtext.Span
	width    float32
	TextSize float32
	style    fyne.TextStyle
	lines    []kit.Line
}

// A Line is a line at its position within the block.
type Line struct {
	kit.Line
	X, Y     float32
	Slack    float32 // the part of X that moves a line from right to left to the right
	At       int     // the offset of its run in the text of the block, in characters
	TextSize float32
	Leading  float32
	Ink      fyne.ThemeColorName
}

// A Shape is a rectangle or, with a name, an icon.
type Shape struct {
	X, Y, W, H   float32
	Fill, Stroke fyne.ThemeColorName
	Radius       float32
	Icon         string
}

// A CodeBox is the position and the content of a listing.
type CodeBox struct {
	X, Y, W  float32
	Language string
	Spans    []richtext.Span
}

// A Style is the text style of a run.
type Style struct {
	TextSize, Leading float32
	Style             fyne.TextStyle
	Ink               fyne.ThemeColorName
}

// Grown returns m with by points added to the text size. The leading is a whole
// number.
func (m Style) Grown(by float32) Style {
	m.Leading = float32(int(m.Leading*(m.TextSize+by)/m.TextSize + 0.5))
	m.TextSize += by
	return m
}

func Body(ink fyne.ThemeColorName) Style { return Style{TextSize: 14, Leading: 22, Ink: ink} }

// text lays out spans with the first line at y, and returns the bottom.
func (s *Layout) text(spans []richtext.Span, at int, x, y, w float32, m Style, align md.Align) float32 {
	return s.put(s.Broken(spans, w, m), at, x, y, w, m, align)
}

// put stacks lines from y on and returns the bottom.
func (s *Layout) put(lines []kit.Line, at int, x, y, w float32, m Style, align md.Align) float32 {
	for _, line := range lines {
		l := Line{Line: line, X: x, Y: y, At: at, TextSize: m.TextSize, Leading: m.Leading, Ink: m.Ink}
		switch {
		case align == md.AlignLeft && line.RTL:
			l.Slack = max(w-line.Width(), 0)
			l.X += l.Slack
		case align == md.AlignCenter:
			l.X += float32(int((w - line.Width()) / 2))
		case align == md.AlignRight:
			l.X += w - line.Width()
		}
		s.Lines = append(s.Lines, l)
		y += m.Leading
	}
	return y
}

// Broken returns the lines of spans and reuses old lines that did not change.
func (s *Layout) Broken(spans []richtext.Span, w float32, m Style) []kit.Line {
	t := kit.LineBreaker{Measure: s.Measure, TextSize: m.TextSize, Style: m.Style, Width: w}
	var begin kit.Line
	if n := len(s.Runs); n < len(s.Old) {
		if o := s.Old[n]; o.width == w && o.TextSize == m.TextSize && o.style == m.Style {
			inner, bytes := CommonPrefix(o.spans, spans)
			if inner == len(spans) && inner == len(o.spans) {
				s.Runs = append(s.Runs, o)
				return o.lines
			}
			if k := resumable(o.lines, func(l kit.Line) kit.Line { return l }, spans, m.Style.Monospace, inner, bytes); k > 0 {
				t.Lines, begin = o.lines[:k:k], o.lines[k]
			}
		}
	}
	lines := t.Resume(spans, begin)
	s.Runs = append(s.Runs, Run{spans, w, m.TextSize, m.Style, lines})
	return lines
}

// Block lays out b with its top at y and returns the bottom.
func (s *Layout) Block(b *md.Block, x, y, w float32, m Style) float32 {
	switch b.Kind {
	case md.Heading:
		m.Style.Bold, m.Ink = true, kit.ColorText
		switch b.Level {
		case 1:
			m.TextSize, m.Leading = 19, 28
			m = m.Grown(s.Larger)
		case 2:
			m.TextSize, m.Leading = 16, 24
			m = m.Grown(s.Larger)
		}
		return s.text(b.Spans, b.At, x, y, w, m, md.AlignLeft)
	case md.Rule:
		s.Shapes = append(s.Shapes, Shape{X: x, Y: y + 8, W: w, H: 1, Fill: kit.ColorBorder})
		return y + 17
	case md.Code:
		return s.code(b, x, y, w)
	case md.Formula:
		return s.formula(b, x, y, w, m)
	case md.Image:
		return s.picture(b, x, y, w, m)
	case md.Quote:
		m.Ink = kit.ColorMuted
		end := s.blocks(b.Blocks, x+16, y, w-16, m, 8)
		s.Shapes = append(s.Shapes, Shape{X: x, Y: y, W: 3, H: end - y, Fill: kit.ColorHair, Radius: 1.5})
		return end
	case md.List:
		return s.list(b, x, y, w, m)
	case md.Table:
		return s.table(b, x, y, w, m)
	}
	if len(b.Blocks) > 0 {
		return s.blocks(b.Blocks, x, y, w, m, 6)
	}
	return s.text(b.Spans, b.At, x, y, w, m, md.AlignLeft)
}

func (s *Layout) blocks(blocks []md.Block, x, y, w float32, m Style, gap float32) float32 {
	for i := range blocks {
		if i > 0 {
			y += gap
		}
		y = s.Block(&blocks[i], x, y, w, m)
	}
	return y
}

// list lays out items beside their markers.
func (s *Layout) list(b *md.Block, x, y, w float32, m Style) float32 {
	gutter := s.gutterFor(b.Blocks, 20, m)
	if b == s.Outer {
		s.gutter = gutter
	}
	return s.items(b, 0, x, y, w, gutter, m)
}

// gutterFor returns the width of the widest marker, at least least.
func (s *Layout) gutterFor(items []md.Block, least float32, m Style) float32 {
	for _, item := range items {
		if item.Marker != "•" {
			least = max(least, s.Measure.Width(item.Marker, m.TextSize, m.Style)+8)
		}
	}
	return least
}

func (s *Layout) items(b *md.Block, first int, x, y, w, gutter float32, m Style) float32 {
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
		y += m.Leading // the height of the marker
		for j := range item.Blocks {
			if j > 0 {
				inner += gap
			}
			inner = s.Block(&item.Blocks[j], x+4+gutter, inner, max(w-4-gutter, 40), m)
			y = max(y, inner)
		}
	}
	return y
}

// mark lays out the marker of an item: a bullet, a number or a box.
func (s *Layout) mark(item *md.Block, x, y, gutter float32, m Style) {
	if item.Task != md.NoTask {
		box := Shape{X: x + 3, Y: y + (m.Leading-15)/2, W: 15, H: 15, Fill: kit.ColorNone, Stroke: kit.ColorFaint, Radius: 4}
		if item.Task == md.TaskDone {
			box.Fill, box.Stroke = kit.ColorPrimary, kit.ColorPrimary
			s.Shapes = append(s.Shapes, box)
			box = Shape{X: box.X + 2, Y: box.Y + 2, W: 11, H: 11, Fill: kit.ColorOnPrimary, Icon: "check"}
		}
		s.Shapes = append(s.Shapes, box)
		return
	}
	if item.Marker == "•" {
		s.Shapes = append(s.Shapes, Shape{X: x + 8, Y: y + m.Leading/2 - 2, W: 5, H: 5, Fill: kit.ColorFaint, Radius: 2.5})
		return
	}
	m.Ink = kit.ColorMuted
	at := len(s.Lines)
	s.text([]richtext.Span{{Text: item.Marker}}, item.At, x+4, y, gutter, m, md.AlignLeft)
	for i := at; i < len(s.Lines); i++ {
		s.Lines[i].X += max(gutter-8-s.Lines[i].Width(), 0) // aligns numbers at the right
	}
}

// The margins of a listing.
const codeHead, codePad, codeFoot = 34, 14, 12

// codeStyle returns the style of a listing.
func (s *Layout) codeStyle() Style {
	return Style{TextSize: 13, Leading: 20, Ink: kit.ColorText, Style: fyne.TextStyle{Monospace: true}}.Grown(s.Larger)
}

// code lays out a listing: its background, its language and its lines.
func (s *Layout) code(b *md.Block, x, y, w float32) float32 {
	ground := len(s.Shapes)
	s.Shapes = append(s.Shapes, Shape{X: x, Y: y, W: w, Fill: kit.ColorSunken, Stroke: kit.ColorBorder, Radius: 10})
	spans := b.Spans
	if s.Tints != nil {
		spans = s.Tints(*b)
	}
	s.Codes = append(s.Codes, CodeBox{X: x, Y: y, W: w, Language: b.Marker, Spans: spans})
	end := s.text(spans, b.At, x+codePad, y+codeHead, w-2*codePad, s.codeStyle(), md.AlignLeft) + codeFoot
	s.Shapes[ground].H = end - y
	return end
}
