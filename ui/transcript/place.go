package transcript

import (
	"goated/ui/kit"
	"goated/ui/textview"
)

// A place is what the reader sees at the top. It is a line of text or, in a row without text, a
// distance from the top of the row. Its position depends on the width and the text size.
type place struct {
	ok        bool    // the place is valid
	row, part int     // the row, and the block within an answer
	char      int     // the first character of the line; -1 if there is no text
	down      float32 // the distance from the top of the line, or of the row, to the top of the visible part
}

// A hold keeps a place at the top while the width changes. Without it, the text would drift: a
// resize passes through many widths, and the first line begins at another character at each of
// them.
type hold struct {
	busy bool // Arrange is running
	at   place
	top  float32 // the scroll offset when at was last at the top
}

// topPlace returns the place at the top of the visible part.
func topPlace(v *viewport, top float32) place {
	if h := v.hold; h.at.ok && h.top == top && h.at.row < len(v.Rows) {
		return h.at
	}
	y := top - v.headroom()
	if y <= 0 || len(v.Rows) == 0 {
		return place{}
	}
	p := place{ok: true, row: v.Heights.At(y), char: -1}
	p.down = y - v.Heights.Before(p.row)
	if a, ok := v.Rows[p.row].Block.(*Answer); ok {
		p.part = a.Heights.At(p.down)
	}
	text, above := textOf(v, p)
	if text == nil || p.down < above {
		return p
	}
	for _, l := range text.Set.Lines {
		p.char, p.down = l.At+l.Line.At, y-v.Heights.Before(p.row)-above-l.Y
		if p.down < l.Leading {
			break
		}
	}
	return p
}

// textOf returns the text of a place and the distance of the text from the top of the row. It
// returns nil if the row has no text, or if the text does not exist.
func textOf(v *viewport, p place) (text *textview.View, above float32) {
	switch b := v.Rows[p.row].Block.(type) {
	case *Answer:
		if p.part < b.Heights.Len() {
			return b.TextViews[p.part], b.Heights.Before(p.part)
		}
	case *Bubble:
		if !b.keepsState() && b.Text.LaidOut() {
			return b.Text, kit.HeightOf(b.body, v.width) - 9 - b.fold.below() - b.Text.Set.Height
		}
	case *thought:
		if b.open {
			return b.text, 28
		}
	case *summary:
		if b.open {
			return b.text, 46
		}
	}
	return nil, 0
}

// topOf returns the scroll offset at which a place is at the top.
func topOf(v *viewport, p place) float32 {
	y := v.Heights.Before(p.row) + v.headroom()
	text, above := textOf(v, p)
	switch {
	case p.char < 0:
		y += min(p.down, v.Heights.Each[p.row])
	case text == nil:
		y += above
	default:
		y += above + text.LineAt(p.char) + p.down
	}
	return clampOffset(v, y)
}

// clampOffset returns the valid scroll offset that is closest to top.
func clampOffset(v *viewport, top float32) float32 {
	return max(min(top, v.Tall()-v.Scroll.Scroll.Size().Height), 0)
}

// measureAround measures the rows around a place until the place is at the top. It returns the scroll
// offset.
func measureAround(v *viewport, p place) (top float32) {
	for range 8 {
		top = topOf(v, p)
		_, changed := v.measure(top, v.Scroll.Scroll.Size().Height, p.row)
		if !changed && topOf(v, p) == top {
			break
		}
	}
	v.hold.at, v.hold.top = p, top
	return top
}
