package samples

import (
	"bytes"
	"image"
	"image/draw"
)

// SamePicture reports whether all pixels are equal. It ignores differences in the last digit of a
// blended colour, which depend on the order of the steps.
func SamePicture(a, b image.Image) bool {
	if a.Bounds().Size() != b.Bounds().Size() {
		return false
	}
	one, other, row := pixels(a), pixels(b), max(1, 4*a.Bounds().Dx())
	for len(one) > 0 {
		if !bytes.Equal(one[:row], other[:row]) && !within(one[:row], other[:row]) {
			return false
		}
		one, other = one[row:], other[row:]
	}
	return true
}

// within reports whether no byte differs by more than one.
func within(a, b []byte) bool {
	for i, v := range a {
		if d := int(v) - int(b[i]); d < -1 || d > 1 {
			return false
		}
	}
	return true
}

// pixels returns the pixels of an image, without premultiplied alpha.
func pixels(img image.Image) []byte {
	if p, ok := img.(*image.RGBA); ok && p.Opaque() && p.Stride == 4*p.Rect.Dx() {
		return p.Pix // Go has no fast way into image.NRGBA
	}
	n := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(n, n.Rect, img, img.Bounds().Min, draw.Src)
	return n.Pix
}

// Crop returns the part of an image in a rectangle.
func Crop(img image.Image, r image.Rectangle) image.Image {
	part := image.NewNRGBA(image.Rectangle{Max: r.Size()})
	draw.Draw(part, part.Rect, img, r.Min, draw.Src)
	return part
}
