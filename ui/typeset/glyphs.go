package typeset

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// A Glyphs draws a shaped text. Fyne would draw the runs in source order, and cut off everything
// that is taller than its own typeface.
type Glyphs struct {
	*canvas.Raster
	text *Text
	ink  color.Color
}

// NewGlyphs returns an empty Glyphs. Its methods belong to the UI goroutine.
func NewGlyphs() *Glyphs {
	g := new(Glyphs)
	g.Raster = canvas.NewRaster(g.paint)
	return g
}

// glyphMargin is the margin around the text, because letters may extend beyond their advance.
const glyphMargin = 2

// Show draws text with the left end of its baseline at (x, y).
func (g *Glyphs) Show(text *Text, ink color.Color, x, y, scale float32) {
	stale := g.text != text || g.ink != ink
	g.text, g.ink = text, ink
	up := float32(math.Ceil(float64(text.Ascent))) + glyphMargin
	down := float32(math.Ceil(float64(text.Descent))) + glyphMargin
	g.Move(fyne.NewPos(Snap(x, scale)-glyphMargin, Snap(y, scale)-up))
	g.Resize(fyne.NewSize(float32(math.Ceil(float64(text.Width)))+2*glyphMargin, up+down))
	if stale {
		g.Refresh()
	}
}

func (g *Glyphs) paint(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if g.text != nil && g.Size().Height > 0 {
		scale := float32(h) / g.Size().Height
		base := float32(math.Ceil(float64(g.text.Ascent))) + glyphMargin
		g.text.Draw(img, int(glyphMargin*scale+0.5), int(base*scale+0.5), scale, g.ink)
	}
	return img
}

// Snap rounds a coordinate to a whole pixel. Fyne stretches a text that begins between two pixels
// by one pixel, which blurs it.
func Snap(v, scale float32) float32 {
	return float32(math.Round(float64(v*scale))) / scale
}

// ScaleOf returns the number of pixels per unit on the canvas of o, or 1 if o is on none.
func ScaleOf(o fyne.CanvasObject) float32 {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.Scale() > 0 {
		return c.Scale()
	}
	return 1
}
