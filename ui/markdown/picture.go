package markdown

import (
	"goated/ui/kit"
	md "goated/ui/view/markdown"
)

// PictureHeight is the maximal height of a picture.
const PictureHeight = 320

// A pictureBox is the position and the URI of a picture.
type pictureBox struct {
	X, Y, W, H float32
	Uri        string
}

// picture reserves space for a picture and lays out the caption below it.
func (l *Layout) picture(b *md.Block, x, y, w float32, m Style) float32 {
	wide, high := float32(b.Width), float32(b.Height)
	scale := min(1, w/wide, PictureHeight/high)
	wide, high = max(wide*scale, 1), max(high*scale, 1)
	l.Shapes = append(l.Shapes, Shape{X: x, Y: y, W: wide, H: high, Fill: kit.ColorSunken, Radius: 6})
	l.Pictures = append(l.Pictures, pictureBox{x, y, wide, high, b.Picture})
	m.TextSize, m.Leading, m.Ink = 12, 18, kit.ColorFaint
	return l.text(b.Spans, b.At, x, y+high+4, w, m, md.AlignLeft)
}
