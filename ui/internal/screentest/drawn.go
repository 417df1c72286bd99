package screentest

import (
	"image"
	"image/color"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// A lettering contains everything that determines the shape of a text.
type lettering struct {
	text, font string
	size       float32
	style      fyne.TextStyle
}

// letters contains the shape of a text, and the size that it needs.
type letters struct {
	mask *image.Alpha
	room fyne.Size
}

// A frame contains everything that determines how Fyne draws a rectangle.
type frame struct {
	fill, stroke         color.NRGBA
	width, aspect, round float32
	corners              [4]float32
	at                   fyne.Position
	size                 fyne.Size
}

// drawings caches the shapes of texts and the rectangles that Fyne drew for any window, by
// lettering or frame. Most are the same in all pictures, and Fyne reads the tables of a typeface
// again for each text. A drawing never changes.
var drawings sync.Map

// drawn returns the drawing of a key. The first time, draw draws it.
func drawn[T any](key any, draw func() T) T {
	if have, ok := drawings.Load(key); ok {
		return have.(T)
	}
	have, _ := drawings.LoadOrStore(key, draw())
	return have.(T)
}

// letters returns the shape of a text: Fyne draws it in white on black.
func (p *painter) letters(t *canvas.Text) letters {
	key := lettering{text: t.Text, size: t.TextSize, style: t.TextStyle}
	if t.FontSource != nil {
		key.font = t.FontSource.Name()
	}
	return drawn(key, func() letters {
		room := t.MinSize()
		white := canvas.Text{Text: t.Text, TextSize: t.TextSize, TextStyle: t.TextStyle, FontSource: t.FontSource, Color: color.White}
		white.Resize(room)
		shape := p.capture(image.Pt(up(room.Width+t.TextSize), up(room.Height)), canvas.NewRectangle(color.Black), &white)
		mask := image.NewAlpha(shape.Rect)
		for i := range mask.Pix {
			mask.Pix[i] = shape.Pix[4*i]
		}
		return letters{mask, room}
	})
}

// framed returns the drawing of a rectangle in a picture of the given size.
func (p *painter) framed(r *canvas.Rectangle, room image.Point) *image.RGBA {
	key := frame{
		fill: ink(r.FillColor), stroke: ink(r.StrokeColor), width: r.StrokeWidth, aspect: r.Aspect, round: r.CornerRadius,
		corners: [4]float32{r.TopLeftCornerRadius, r.TopRightCornerRadius, r.BottomRightCornerRadius, r.BottomLeftCornerRadius},
		at:      r.Position(), size: r.Size(),
	}
	return drawn(key, func() *image.RGBA { return p.alone(r, room) })
}

// ink returns a color as a value. No color is transparent.
func ink(c color.Color) color.NRGBA {
	if c == nil {
		return color.NRGBA{}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}
