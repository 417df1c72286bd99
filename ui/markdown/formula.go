package markdown

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/view/formula"
	md "goated/ui/view/markdown"
)

// The text sizes of a display formula. The first size that fits is used.
var formulaSizes = []float32{16, 14, 12}

// formulaPad is the space above and below a formula.
const formulaPad = 4

// formula draws a centred formula. If it is too wide, formula draws it as text on several lines.
func (l *Layout) formula(b *md.Block, x, y, w float32, m Style) float32 {
	_, places := formula.Places(b.Formula)
	for _, size := range formulaSizes {
		t := formulaSetter{l, b.At, places, m.Ink}
		box := t.row(b.Formula, level{size: size + l.Larger, open: true})
		if box.w > w {
			continue
		}
		box.draw(x+float32(int((w-box.w)/2)), y+formulaPad+box.up)
		return y + float32(int(box.up+box.down+0.99)) + 2*formulaPad
	}
	return l.text(b.Spans, b.At, x, y, w, m, md.AlignLeft)
}

// A formulaSetter lays out a formula as nested boxes, each around a baseline.
type formulaSetter struct {
	s      *Layout
	at     int // the offset of the formula in the text
	places map[*formula.Node]int
	ink    fyne.ThemeColorName
}

// A level is the text size of a part, and whether there is room for limits and blanks.
type level struct {
	size float32
	open bool
}

// The sizes of parts, relative to the size of their parents.
const (
	scriptShare   = 0.72
	fractionShare = 0.9
	leastSize     = 10
	axisShare     = 0.4 // the height of the minus sign above the baseline
)

func (l level) script() level { return level{max(l.size*scriptShare, min(l.size, leastSize)), false} }
func (l level) axis() float32 { return l.size * axisShare }

// A mathBox is a part with its layout. draw draws it from x on, with its baseline at y.
type mathBox struct {
	w, up, down float32
	draw        func(x, y float32)
}

func (b mathBox) height() float32 { return b.up + b.down }

// beside places boxes side by side.
func beside(boxes ...mathBox) (out mathBox) {
	for _, b := range boxes {
		out.w += b.w
		out.up, out.down = max(out.up, b.up), max(out.down, b.down)
	}
	out.draw = func(x, y float32) {
		for _, b := range boxes {
			b.draw(x, y)
			x += b.w
		}
	}
	return out
}

func blank(w float32) mathBox { return mathBox{w: w, draw: func(float32, float32) {}} }

// row lays out nodes and the spaces between them.
func (t *formulaSetter) row(row formula.Row, l level) mathBox {
	classes := row.Classes()
	var boxes []mathBox
	for i, n := range row {
		if i > 0 && l.open && row.Spaced(classes, i) {
			boxes = append(boxes, blank(l.size*spaceShare(classes[i-1], classes[i])))
		}
		boxes = append(boxes, t.node(n, l))
	}
	if len(boxes) == 1 {
		return boxes[0]
	}
	out := beside(boxes...)
	out.up, out.down = max(out.up, l.size*0.7), max(out.down, l.size*0.1)
	return out
}

func spaceShare(a, b formula.Class) float32 {
	switch {
	case a == formula.Relation || b == formula.Relation:
		return 0.28
	case a == formula.Binary || b == formula.Binary:
		return 0.22
	}
	return 0.17
}

func (t *formulaSetter) node(n *formula.Node, l level) mathBox {
	at := t.places[n]
	switch n.Kind {
	case formula.Group:
		return t.row(n.Parts[0], l)
	case formula.Boxed:
		return t.framed(t.row(n.Parts[0], l))
	case formula.Fraction:
		return t.fraction(n, l)
	case formula.Root:
		return t.root(n, l)
	case formula.Script:
		return t.script(n, l)
	case formula.Fence:
		return t.fenced(t.row(n.Parts[0], l), n.Left, n.Right, at, l)
	case formula.Grid:
		return t.fenced(t.grid(n, l), n.Left, n.Right, at, l)
	}
	if n.Class == formula.Blank {
		return blank(l.size * blankShare(n.Text))
	}
	if n.Large && l.open {
		big := t.text(n.Text, at, l.size*1.5, fyne.TextStyle{})
		lowered := l.axis()*0.5 - 1 // centres it on the axis
		return mathBox{big.w + 2, big.up - lowered, big.down + lowered, func(x, y float32) { big.draw(x, y+lowered) }}
	}
	return t.text(n.Text, at, l.size, fyne.TextStyle{Italic: n.Italic, Bold: n.Bold})
}

// blankShare returns the width of a blank in the source, relative to the text size.
func blankShare(text string) float32 {
	switch len(text) {
	case 1:
		return 0.2
	case 2:
		return 1
	}
	return 2
}

// text lays out a word or a sign.
func (t *formulaSetter) text(text string, at int, size float32, font fyne.TextStyle) mathBox {
	spans := []richtext.Span{{Text: text, Italic: font.Italic, Bold: font.Bold}}
	line := (&kit.LineBreaker{Measure: t.s.Measure, TextSize: size, Width: 1 << 20}).Break(spans)[0]
	up, down := size*0.74, size*0.22
	if strings.ContainsAny(text, "\u0302\u0303\u0304\u0305\u0307\u0308\u030c\u20d7") {
		up += size * 0.2
	}
	return mathBox{line.Width(), up, down, func(x, y float32) {
		rise := t.s.Measure.Rise(size, fyne.TextStyle{})
		t.s.Lines = append(t.s.Lines, Line{Line: line, X: x, Y: y - rise.Base, At: t.at + at, TextSize: size, Leading: rise.Height, Ink: t.ink})
	}}
}

func (t *formulaSetter) rule(x, y, w, h float32) {
	t.s.Shapes = append(t.s.Shapes, Shape{X: float32(int(x)), Y: float32(int(y)), W: w, H: h, Fill: t.ink})
}

func (t *formulaSetter) framed(b mathBox) mathBox {
	const pad = 6
	return mathBox{b.w + 2*pad, b.up + pad, b.down + pad, func(x, y float32) {
		t.s.Shapes = append(t.s.Shapes, Shape{X: x, Y: y - b.up - pad, W: b.w + 2*pad, H: b.height() + 2*pad, Fill: kit.ColorNone, Stroke: t.ink, Radius: 4})
		b.draw(x+pad, y)
	}}
}

func (t *formulaSetter) fraction(n *formula.Node, l level) mathBox {
	inner := level{max(l.size*fractionShare, min(l.size, leastSize)), l.open}
	above, below := t.row(n.Parts[0], inner), t.row(n.Parts[1], inner)
	const gap, side = 3, 3
	wide := max(above.w, below.w) + 2*side
	axis := l.axis()
	return mathBox{wide + 2, axis + gap + above.height(), max(gap+1+below.height()-axis, 0), func(x, y float32) {
		x++
		bar := y - axis
		t.rule(x, bar, wide, 1)
		above.draw(x+(wide-above.w)/2, bar-gap-above.down)
		below.draw(x+(wide-below.w)/2, bar+1+gap+below.up)
	}}
}

// The root sign of the regular typeface, relative to the text size.
const (
	rootTop   = 0.727
	rootRight = 0.6
)

func (t *formulaSetter) root(n *formula.Node, l level) mathBox {
	body := t.row(n.Parts[0], l)
	const gap = 2
	size := max((body.height()+gap)/rootTop, l.size*1.1)
	sign := t.text("√", t.places[n], size, fyne.TextStyle{})
	wide := size * rootRight
	left := float32(0)
	var index mathBox
	if n.Parts[1] != nil {
		index = t.row(n.Parts[1], l.script())
		left = max(index.w-wide*0.45, 0)
	}
	up := size*rootTop - body.down
	return mathBox{left + wide + body.w + 2, up + 1, body.down, func(x, y float32) {
		if index.draw != nil {
			index.draw(x, y-up*0.55)
		}
		sign.draw(x+left, y+body.down)
		t.rule(x+left+wide-1, y-up, body.w+3, 1)
		body.draw(x+left+wide, y)
	}}
}

func (t *formulaSetter) script(n *formula.Node, l level) mathBox {
	base := t.row(n.Parts[0], l)
	if len(n.Parts[0]) == 0 {
		base = mathBox{up: l.size * 0.7, draw: func(float32, float32) {}}
	}
	if n.Limits && l.open {
		return t.limits(base, n.Parts[1], n.Parts[2], l)
	}
	if primes(n.Parts[1]) && len(n.Parts[2]) == 0 {
		return beside(base, t.row(n.Parts[1], l))
	}
	const apart = 1
	out := mathBox{w: base.w, up: base.up, down: base.down}
	draw := []func(x, y float32){base.draw}
	var above, below mathBox
	rise, fall := max(0.38*l.size, base.up-0.45*l.size), max(0.2*l.size, base.down-0.1*l.size)
	if len(n.Parts[1]) > 0 {
		above = t.row(n.Parts[1], l.script())
		out.up = max(out.up, rise+above.up)
		draw = append(draw, func(x, y float32) { above.draw(x+base.w+apart, y-rise) })
	}
	if len(n.Parts[2]) > 0 {
		below = t.row(n.Parts[2], l.script())
		if above.draw != nil {
			fall = max(fall, below.up+above.down-rise+1)
		}
		out.down = max(out.down, fall+below.down)
		draw = append(draw, func(x, y float32) { below.draw(x+base.w+apart, y+fall) })
	}
	out.w += max(above.w, below.w) + 2*apart
	out.draw = func(x, y float32) {
		for _, d := range draw {
			d(x, y)
		}
	}
	return out
}

// primes reports whether a script consists only of primes, which are already raised.
func primes(row formula.Row) bool {
	for _, n := range row {
		if n.Text != "′" {
			return false
		}
	}
	return len(row) > 0
}

// limits places scripts above and below a box.
func (t *formulaSetter) limits(base mathBox, up, down formula.Row, l level) mathBox {
	out := base
	const gap = 2
	var above, below mathBox
	if len(up) > 0 {
		above = t.row(up, l.script())
		out.up += gap + above.height()
	}
	if len(down) > 0 {
		below = t.row(down, l.script())
		out.down += gap + below.height()
	}
	out.w = max(base.w, above.w, below.w)
	out.draw = func(x, y float32) {
		base.draw(x+(out.w-base.w)/2, y)
		if above.draw != nil {
			above.draw(x+(out.w-above.w)/2, y-base.up-gap-above.down)
		}
		if below.draw != nil {
			below.draw(x+(out.w-below.w)/2, y+base.down+gap+below.up)
		}
	}
	return out
}
