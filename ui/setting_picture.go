package ui

import (
	"goated/ui/kit"
	"goated/ui/view"
)

// pictureHeight is the most that a picture is high.
const pictureHeight = 320

// A pictureBox is where a picture is, and what it is of.
type pictureBox struct {
	x, y, w, h float32
	uri        string
}

// picture leaves room for a picture, with the words for it under it.
func (s *setting) picture(b *view.Block, x, y, w float32, m manner) float32 {
	wide, high := float32(b.Width), float32(b.Height)
	scale := min(1, w/wide, pictureHeight/high)
	wide, high = max(wide*scale, 1), max(high*scale, 1)
	s.shapes = append(s.shapes, shape{x: x, y: y, w: wide, h: high, fill: kit.ColorSunken, radius: 6})
	s.pictures = append(s.pictures, pictureBox{x, y, wide, high, b.Picture})
	m.size, m.leading, m.ink = 12, 18, kit.ColorFaint
	return s.text(b.Spans, b.At, x, y+high+4, w, m, view.AlignLeft)
}
