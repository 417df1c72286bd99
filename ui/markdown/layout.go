package markdown

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/typeset"
	md "goated/ui/view/markdown"
)

// A Layout is the layout of a block for one width: lines of text, the shapes around them, and the
// boxes of code and pictures. Other packages only read it; only Block and Grow change it.
type Layout struct {
	Larger   float32 // points added to the usual text size
	Measure  *kit.WordMeasure
	Old      []Run // the runs of the previous layout, whose lines may be reused
	Runs     []Run
	Lines    []Line
	Shapes   []Shape
	Codes    []codeBox
	Pictures []pictureBox
	Height   float32

	Outer  *md.Block // the outermost block; its children have steps
	steps  []step    // the state before each child
	gutter float32   // the gutter width of a list
	grid   tableState
	Tints  func(md.Block) []richtext.Span // returns the highlighted code of a block; nil: no highlighting
	Bounds index                          // of Lines and Shapes, as of the last call of Index
}

// A tableState keeps the column widths of a growing table. It is empty for a list of records.
type tableState struct {
	widths []float32 // the widths of the columns
	wanted []float32 // the widths of the widest cells of the finished rows
	least  []float32 // the widths of the longest words in those rows
	rows   int       // the number of finished rows in wanted and least
}

// A step is the size of a layout before a child of its block was laid out.
type step struct {
	y                                    float32
	lines, shapes, runs, codes, pictures int
}

func (l *Layout) step(b *md.Block, y float32) {
	if b == l.Outer {
		l.steps = append(l.steps, step{y, len(l.Lines), len(l.Shapes), len(l.Runs), len(l.Codes), len(l.Pictures)})
	}
}

// back removes the layout from a child on. It returns the top of that child.
func (l *Layout) back(child int) float32 {
	t := l.steps[child]
	l.Bounds.nShapes = min(l.Bounds.nShapes, t.shapes)
	l.Pictures = l.Pictures[:t.pictures]
	l.Lines, l.Shapes, l.Runs, l.Codes, l.steps = l.Lines[:t.lines], l.Shapes[:t.shapes], l.Runs[:t.runs], l.Codes[:t.codes], l.steps[:child]
	return t.y
}

// A Run is a block that contains text, and its lines for one width.
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
	Slack    float32 // the part of X that aligns a right-to-left line to the right
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

// A codeBox is the position and the content of a code block.
type codeBox struct {
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

// Grown returns m with by points added to the text size. The leading is rounded to an integer.
func (m Style) Grown(by float32) Style {
	m.Leading = float32(int(m.Leading*(m.TextSize+by)/m.TextSize + 0.5))
	m.TextSize += by
	return m
}

// Body returns the style of a paragraph.
func Body(ink fyne.ThemeColorName) Style { return Style{TextSize: 14, Leading: 22, Ink: ink} }

// text lays out spans with the first line at y, and returns the bottom.
func (l *Layout) text(spans []richtext.Span, at int, x, y, w float32, m Style, align md.Align) float32 {
	return l.put(l.Broken(spans, w, m), at, x, y, w, m, align)
}

// put stacks lines from y on and returns the bottom.
func (l *Layout) put(lines []kit.Line, at int, x, y, w float32, m Style, align md.Align) float32 {
	for _, line := range lines {
		placed := Line{Line: line, X: x, Y: y, At: at, TextSize: m.TextSize, Leading: m.Leading, Ink: m.Ink}
		switch {
		case align == md.AlignLeft && line.RTL:
			placed.Slack = max(w-line.Width(), 0)
			placed.X += placed.Slack
		case align == md.AlignCenter:
			placed.X += float32(int((w - line.Width()) / 2))
		case align == md.AlignRight:
			placed.X += w - line.Width()
		}
		l.Lines = append(l.Lines, placed)
		y += m.Leading
	}
	return y
}

// Broken breaks spans into lines. It reuses old lines that did not change.
func (l *Layout) Broken(spans []richtext.Span, w float32, m Style) []kit.Line {
	t := kit.LineBreaker{Measure: l.Measure, TextSize: m.TextSize, Style: m.Style, Width: w}
	var begin kit.Line
	if n := len(l.Runs); n < len(l.Old) {
		if o := l.Old[n]; o.width == w && o.TextSize == m.TextSize && o.style == m.Style {
			inner, bytes := CommonPrefix(o.spans, spans)
			if inner == len(spans) && inner == len(o.spans) {
				l.Runs = append(l.Runs, o)
				return o.lines
			}
			if k := resumable(o.lines, func(l kit.Line) kit.Line { return l }, spans, m.Style.Monospace, inner, bytes); k > 0 {
				t.Lines, begin = o.lines[:k:k], o.lines[k]
			}
		}
	}
	lines := t.Resume(spans, begin)
	l.Runs = append(l.Runs, Run{spans, w, m.TextSize, m.Style, lines})
	return lines
}

// Block lays out b with its top at y and returns the bottom.
func (l *Layout) Block(b *md.Block, x, y, w float32, m Style) float32 {
	switch b.Kind {
	case md.Heading:
		m.Style.Bold, m.Ink = true, kit.ColorText
		switch b.Level {
		case 1:
			m.TextSize, m.Leading = 19, 28
			m = m.Grown(l.Larger)
		case 2:
			m.TextSize, m.Leading = 16, 24
			m = m.Grown(l.Larger)
		}
		return l.text(b.Spans, b.At, x, y, w, m, md.AlignLeft)
	case md.Rule:
		l.Shapes = append(l.Shapes, Shape{X: x, Y: y + 8, W: w, H: 1, Fill: kit.ColorBorder})
		return y + 17
	case md.Code:
		return l.code(b, x, y, w)
	case md.Formula:
		return l.formula(b, x, y, w, m)
	case md.Image:
		return l.picture(b, x, y, w, m)
	case md.Quote:
		m.Ink = kit.ColorMuted
		bar, left := x, x+16
		if runsLeft(b) {
			bar, left = x+w-3, x
		}
		end := l.blocks(b.Blocks, left, y, w-16, m, 8)
		l.Shapes = append(l.Shapes, Shape{X: bar, Y: y, W: 3, H: end - y, Fill: kit.ColorHair, Radius: 1.5})
		return end
	case md.List:
		return l.list(b, x, y, w, m)
	case md.Table:
		return l.table(b, x, y, w, m)
	}
	if len(b.Blocks) > 0 {
		return l.blocks(b.Blocks, x, y, w, m, 6)
	}
	return l.text(b.Spans, b.At, x, y, w, m, md.AlignLeft)
}

func (l *Layout) blocks(blocks []md.Block, x, y, w float32, m Style, gap float32) float32 {
	for i := range blocks {
		if i > 0 {
			y += gap
		}
		y = l.Block(&blocks[i], x, y, w, m)
	}
	return y
}

// list lays out items beside their markers.
func (l *Layout) list(b *md.Block, x, y, w float32, m Style) float32 {
	gutter := l.gutterFor(b.Blocks, 20, m)
	if b == l.Outer {
		l.gutter = gutter
	}
	return l.items(b, 0, x, y, w, gutter, m)
}

// gutterFor returns the width of the widest marker, but no less than least.
func (l *Layout) gutterFor(items []md.Block, least float32, m Style) float32 {
	for _, item := range items {
		if item.Marker != "•" {
			least = max(least, l.Measure.Width(item.Marker, m.TextSize, m.Style)+8)
		}
	}
	return least
}

func (l *Layout) items(b *md.Block, first int, x, y, w, gutter float32, m Style) float32 {
	gap := float32(4)
	if b.Loose {
		gap = 10
	}
	for i := first; i < len(b.Blocks); i++ {
		item := &b.Blocks[i]
		l.step(b, y)
		if i > 0 {
			y += gap
		}
		side, left := x, x+4+gutter
		if runsLeft(item) {
			side, left = x+w-4-gutter, x
		}
		l.mark(item, side, y, gutter, m, side > x)
		inner := y
		y += m.Leading // the height of the marker
		for j := range item.Blocks {
			if j > 0 {
				inner += gap
			}
			inner = l.Block(&item.Blocks[j], left, inner, max(w-4-gutter, 40), m)
			y = max(y, inner)
		}
	}
	return y
}

// runsLeft reports whether the first letter of a block belongs to a right-to-left script.
func runsLeft(b *md.Block) bool {
	for len(b.Blocks) > 0 {
		b = &b.Blocks[0]
	}
	text := richtext.PlainText(b.Spans)
	if !typeset.HasRTL(text) {
		return false
	}
	_, rtl := typeset.Levels([]rune(text), typeset.Auto)
	return rtl
}

// mark lays out the marker of an item: a bullet, a number or a checkbox. The marker comes before
// the text. In a right-to-left item, mirrored is true and x is the left edge of the gutter.
func (l *Layout) mark(item *md.Block, x, y, gutter float32, m Style, mirrored bool) {
	at := func(left, wide float32) float32 { // a position within the gutter and the indent before it
		if mirrored {
			return x + 4 + gutter - left - wide
		}
		return x + left
	}
	if item.Task != md.NoTask {
		box := Shape{X: at(3, 15), Y: y + (m.Leading-15)/2, W: 15, H: 15, Fill: kit.ColorNone, Stroke: kit.ColorFaint, Radius: 4}
		if item.Task == md.TaskDone {
			box.Fill, box.Stroke = kit.ColorPrimary, kit.ColorPrimary
			l.Shapes = append(l.Shapes, box)
			box = Shape{X: box.X + 2, Y: box.Y + 2, W: 11, H: 11, Fill: kit.ColorOnPrimary, Icon: "check"}
		}
		l.Shapes = append(l.Shapes, box)
		return
	}
	if item.Marker == "•" {
		l.Shapes = append(l.Shapes, Shape{X: at(8, 5), Y: y + m.Leading/2 - 2, W: 5, H: 5, Fill: kit.ColorFaint, Radius: 2.5})
		return
	}
	m.Ink = kit.ColorMuted
	first := len(l.Lines)
	l.text([]richtext.Span{{Text: item.Marker}}, item.At, x+4, y, gutter, m, md.AlignLeft)
	for i := first; i < len(l.Lines); i++ {
		wide := l.Lines[i].Width()
		l.Lines[i].X = at(4+max(gutter-8-wide, 0), wide) // aligns the end of the marker with the text
	}
}

// The margins of a code block.
const codeHead, codePad, codeFoot = 34, 14, 12

// codeStyle returns the style of a code block.
func (l *Layout) codeStyle() Style {
	return Style{TextSize: 13, Leading: 20, Ink: kit.ColorText, Style: fyne.TextStyle{Monospace: true}}.Grown(l.Larger)
}

// code lays out a code block: its background, its language and its lines.
func (l *Layout) code(b *md.Block, x, y, w float32) float32 {
	ground := len(l.Shapes)
	l.Shapes = append(l.Shapes, Shape{X: x, Y: y, W: w, Fill: kit.ColorSunken, Stroke: kit.ColorBorder, Radius: 10})
	spans := b.Spans
	if l.Tints != nil {
		spans = l.Tints(*b)
	}
	l.Codes = append(l.Codes, codeBox{X: x, Y: y, W: w, Language: b.Marker, Spans: spans})
	end := l.text(spans, b.At, x+codePad, y+codeHead, w-2*codePad, l.codeStyle(), md.AlignLeft) + codeFoot
	l.Shapes[ground].H = end - y
	return end
}
