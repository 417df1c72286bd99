package screentest

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// Ringed reports whether the object that has the focus shows it by an edge in the focus colour,
// either inside the object or close around it.
func (rd *Reader) Ringed() bool {
	o, ok := rd.Canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return false
	}
	var own box
	rd.visit(rd.layer(), false, func(n *node) bool {
		if n.object == o {
			own = n.box
		}
		return n.object != o
	})
	const room = 64 // a field lies in a frame together with its buttons
	wide := box{own.at.SubtractXY(room, room), own.size.AddWidthHeight(2*room, 2*room)}
	ringed := false
	rd.visit(rd.layer(), false, func(n *node) bool {
		r, ok := n.object.(*canvas.Rectangle)
		if ok && r.StrokeWidth > 0 && r.StrokeColor == accent() && n.box.within(wide) == n.box && around(n.box, own) {
			ringed = true
		}
		return !ringed
	})
	return ringed
}

// around reports whether a contains b, apart from the width of an edge.
func around(a, b box) bool {
	const slack = 4
	return a.at.X <= b.at.X+slack && a.at.Y <= b.at.Y+slack &&
		a.at.X+a.size.Width >= b.at.X+b.size.Width-slack && a.at.Y+a.size.Height >= b.at.Y+b.size.Height-slack
}

// accent returns the focus colour.
func accent() color.Color { return theme.Color("goatedAccent") }

// Filled reports whether a button with a given text is filled with the colour of the most
// important button.
func (rd *Reader) Filled(text string) bool {
	n := rd.find(0, func(n *node) bool { return is(text)(n) && rd.taps(n) != nil })
	if n == nil {
		return false
	}
	o, filled := rd.taps(n), false
	rd.visit(rd.layer(), false, func(n *node) bool {
		r, ok := n.object.(*canvas.Rectangle)
		if ok && n.up != nil && n.up.object == o && r.FillColor == theme.Color("goatedPrimary") {
			filled = true
		}
		return !filled
	})
	return filled
}

// Marks returns the number of marked places in the text at a position on the canvas. A search,
// for example, marks the words that it found.
func (rd *Reader) Marks(at fyne.Position) (marks int) {
	var text *node
	rd.visit(rd.layer(), true, func(n *node) bool {
		if _, ok := n.text(); ok && n.box.holds(at) {
			text = n
		}
		return true
	})
	if text == nil {
		return 0
	}
	rd.visit(rd.layer(), false, func(n *node) bool {
		r, ok := n.object.(*canvas.Rectangle)
		if ok && n.up != nil && n.up.object == text.object && n.box.size.Width > 0 && visible(r.FillColor) {
			marks++
		}
		return true
	})
	return marks
}

func visible(c color.Color) bool {
	if c == nil {
		return false
	}
	_, _, _, a := c.RGBA()
	return a > 0
}

// LetterSizes returns the distinct letter sizes of a text in ascending order. If the text
// occurs several times, it includes the sizes of all occurrences.
func (rd *Reader) LetterSizes(text string) (sizes []float32) {
	rd.visit(rd.Canvas().Content(), false, func(n *node) bool {
		t, ok := n.object.(*canvas.Text)
		if !ok || t.Text == "" || slices.Contains(sizes, t.TextSize) {
			return true
		}
		for up := n; up != nil; up = up.up {
			if is(text)(up) {
				sizes = append(sizes, t.TextSize)
				break
			}
		}
		return true
	})
	slices.Sort(sizes)
	return sizes
}
