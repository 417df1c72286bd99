package markdown

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/view/formula"
)

// grid lays out the cells of a table, centred on the axis.
func (t *formulaSetter) grid(n *formula.Node, l level) mathBox {
	var cells [][]mathBox
	var widths []float32
	for _, row := range n.Rows {
		var line []mathBox
		for k, cell := range row {
			box := t.row(cell, l)
			if n.Columns == formula.Equations && k%2 == 1 && len(cell) > 0 {
				// The right side of an equation begins with its sign.
				if c := cell[0].Class; c == formula.Relation || c == formula.Binary {
					side := l.size * spaceShare(c, c)
					box = beside(blank(side), box)
					if c == formula.Binary {
						box = beside(blank(side), t.row(cell[:1], l), blank(side), t.row(cell[1:], l))
					}
				}
			}
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], box.w)
			line = append(line, box)
		}
		cells = append(cells, line)
	}
	gap, pad := l.size*0.35, l.size
	if n.Columns == formula.Equations {
		gap = l.size * 0.5
	}
	if !l.open {
		gap, pad = 2, l.size*0.5
	}
	out := mathBox{w: 0}
	for k, w := range widths {
		if out.w += w; k > 0 && !(n.Columns == formula.Equations && k%2 == 1) {
			out.w += pad
		}
	}
	high := -gap
	for _, line := range cells {
		row := tallest(line, l)
		high += row.height() + gap
	}
	axis := l.axis()
	out.up, out.down = high/2+axis, high/2-axis
	out.draw = func(x, y float32) {
		top := y - out.up
		for _, line := range cells {
			row := tallest(line, l)
			at := x
			for k, box := range line {
				if k > 0 && !(n.Columns == formula.Equations && k%2 == 1) {
					at += pad
				}
				box.draw(at+shift(n.Columns, k, len(widths), widths[k]-box.w), top+row.up)
				at += widths[k]
			}
			top += row.height() + gap
		}
	}
	return out
}

// tallest returns a box with the height of a line of cells.
func tallest(line []mathBox, l level) mathBox {
	out := mathBox{up: l.size * 0.74, down: l.size * 0.22}
	for _, b := range line {
		out.up, out.down = max(out.up, b.up), max(out.down, b.down)
	}
	return out
}

// shift returns the offset of a cell within its column. space is the free width.
func shift(c formula.Columns, column, columns int, space float32) float32 {
	switch {
	case c == formula.Leading, c == formula.Equations && column%2 == 1:
		return 0
	case c == formula.Equations && columns > 1:
		return space
	}
	return space / 2
}

// fenced puts delimiters around a box, as high as the box.
func (t *formulaSetter) fenced(b mathBox, left, right string, at int, l level) mathBox {
	var boxes []mathBox
	if left != "" {
		boxes = append(boxes, t.delimiter(left, at, b, l))
	}
	boxes = append(boxes, b)
	if right != "" {
		boxes = append(boxes, t.delimiter(right, at, b, l))
	}
	return beside(boxes...)
}

// parts are the characters that make up tall delimiters: top, extension, bottom, and middle.
var parts = map[string][]string{
	"(": {"⎛", "⎜", "⎝"}, ")": {"⎞", "⎟", "⎠"},
	"[": {"⎡", "⎢", "⎣"}, "]": {"⎤", "⎥", "⎦"},
	"{": {"⎧", "⎪", "⎩", "⎨"}, "}": {"⎫", "⎪", "⎭", "⎬"},
}

// The extent of these characters in their font, relative to the text size.
const (
	partTop    = 1.069
	partHeight = 1.362
)

// delimiter returns a delimiter that is as high as b.
func (t *formulaSetter) delimiter(sign string, at int, b mathBox, l level) mathBox {
	plain := t.text(sign, at, l.size, fyne.TextStyle{})
	if b.up <= plain.up+1 && b.down <= plain.down+2 {
		return plain
	}
	const over = 2
	up, down := b.up+over, b.down+over
	if strings.Contains("|‖", sign) {
		wide := l.size * 0.3 * float32(len([]rune(strings.ReplaceAll(sign, "‖", "||"))))
		return mathBox{wide, up, down, func(x, y float32) {
			t.rule(x+wide/2-float32(int(wide/6)), y-up, 1, up+down)
			if sign == "‖" {
				t.rule(x+wide/2+float32(int(wide/6)), y-up, 1, up+down)
			}
		}}
	}
	pieces, ok := parts[sign]
	if !ok || len(pieces) == 4 && up+down < 3.5*l.size {
		size := l.size * (up + down) / plain.height()
		tall := t.text(sign, at, size, fyne.TextStyle{})
		shift := (tall.up-tall.down)/2 - (up-down)/2
		return mathBox{tall.w + 2, up, down, func(x, y float32) { tall.draw(x, y+shift) }}
	}
	n := max(2, int((up+down)/(l.size*1.2)+0.5))
	if len(pieces) == 4 {
		n = max(3, n|1)
	}
	each := (up + down) / float32(n)
	size := (each + 0.5) / partHeight // they overlap a little
	var boxes []mathBox
	for i := range n {
		piece := pieces[1]
		switch {
		case i == 0:
			piece = pieces[0]
		case i == n-1:
			piece = pieces[2]
		case len(pieces) == 4 && i == n/2:
			piece = pieces[3]
		}
		boxes = append(boxes, t.text(piece, at, size, fyne.TextStyle{}))
	}
	wide, inset := boxes[0].w+4, float32(1)
	if strings.Contains(")]}", sign) {
		inset = 3
	}
	return mathBox{wide, up, down, func(x, y float32) {
		for i, box := range boxes {
			box.draw(x+inset, y-up+float32(i)*each+size*partTop)
		}
	}}
}
