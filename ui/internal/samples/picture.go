package samples

import (
	"image"
	"image/draw"
)

// SamePicture reports whether each pixel is the same, up to how the last digit
// of a blended colour is rounded, which depends on the order of the steps.
func SamePicture(a, b image.Image) bool {
	if a.Bounds().Size() != b.Bounds().Size() {
		return false
	}
	other := pixels(b)
	for i, v := range pixels(a) {
		if d := int(v) - int(other[i]); d < -1 || d > 1 {
			return false
		}
	}
	return true
}

// pixels returns the pixels of an image, without premultiplied alpha.
func pixels(img image.Image) []byte {
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
