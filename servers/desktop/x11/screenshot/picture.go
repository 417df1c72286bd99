package screenshot

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/tiff"

	"goated/servers/desktop/x11"
)

// A Picture is a picture of a part of the screen. It implements image.Image. It belongs to its caller.
type Picture struct {
	Rect   x11.Rect // its position on the screen
	Pix    []byte   // four bytes per pixel: blue, green, red, unused
	Stride int      // bytes per row
}

// ColorModel implements image.Image.
func (p *Picture) ColorModel() color.Model { return color.RGBAModel }

// Bounds implements image.Image. The top left pixel is 0, 0.
func (p *Picture) Bounds() image.Rectangle { return image.Rect(0, 0, p.Rect.W, p.Rect.H) }

// At returns the colour of a pixel.
func (p *Picture) At(x, y int) color.Color {
	if !(image.Point{X: x, Y: y}).In(p.Bounds()) {
		return color.RGBA{}
	}
	i := y*p.Stride + 4*x
	return color.RGBA{p.Pix[i+2], p.Pix[i+1], p.Pix[i], 255}
}

// grey is the brightness with which goated's own windows are painted over.
const grey = 0x80

// fill paints over a rectangle of the screen.
func (p *Picture) fill(r x11.Rect) {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return
	}
	for y := range r.H {
		row := p.Pix[(r.Y-p.Rect.Y+y)*p.Stride+4*(r.X-p.Rect.X):][:4*r.W]
		for i := range row {
			row[i] = grey
		}
	}
}

// paint copies a rectangle of the screen from another picture.
func (p *Picture) paint(from *Picture, r x11.Rect) {
	r = r.Intersect(p.Rect).Intersect(from.Rect)
	if r.Empty() {
		return
	}
	for y := range r.H {
		copy(p.Pix[(r.Y-p.Rect.Y+y)*p.Stride+4*(r.X-p.Rect.X):][:4*r.W],
			from.Pix[(r.Y-from.Rect.Y+y)*from.Stride+4*(r.X-from.Rect.X):])
	}
}

// RGBA converts the picture to an image.RGBA.
func (p *Picture) RGBA() *image.RGBA {
	m := image.NewRGBA(p.Bounds())
	for y := range p.Rect.H {
		in, out := p.Pix[y*p.Stride:][:4*p.Rect.W], m.Pix[y*m.Stride:][:4*p.Rect.W]
		for i := 0; i < len(in); i += 4 {
			out[i], out[i+1], out[i+2], out[i+3] = in[i+2], in[i+1], in[i], 255
		}
	}
	return m
}

// JPEG encodes the picture with a quality from 1 to 100. 0 means 85.
func (p *Picture) JPEG(quality int) ([]byte, error) {
	if quality == 0 {
		quality = 85
	}
	if quality < 1 || quality > 100 {
		return nil, fmt.Errorf("a JPEG quality of %d: it is between 1 and 100", quality)
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, p.RGBA(), &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}

// TIFF encodes the picture without loss.
func (p *Picture) TIFF() ([]byte, error) {
	var b bytes.Buffer
	err := tiff.Encode(&b, p.RGBA(), &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	return b.Bytes(), err
}
