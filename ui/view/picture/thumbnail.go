package picture

import (
	"bytes"
	"image"

	"golang.org/x/image/draw"
)

// thumbnailSide is the width and height of a thumbnail in pixels.
const thumbnailSide = 160

// maxThumbnailPixels is the maximal size of an image that gets a thumbnail.
const maxThumbnailPixels = 50_000_000

// Thumbnail returns the square centre of an image, reduced to 160 × 160 pixels. It returns nil if
// the image cannot be decoded or is too large. It is slow, so callers must not use the UI
// goroutine.
func Thumbnail(data []byte) image.Image {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width*config.Height > maxThumbnailPixels {
		return nil
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	b := full.Bounds()
	side := min(b.Dx(), b.Dy())
	x, y := b.Min.X+(b.Dx()-side)/2, b.Min.Y+(b.Dy()-side)/2
	small := image.NewNRGBA(image.Rect(0, 0, thumbnailSide, thumbnailSide))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), full, image.Rect(x, y, x+side, y+side), draw.Src, nil)
	return small
}
