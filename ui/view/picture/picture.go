// Package picture decodes images for the screen: PNG, JPEG, WebP and GIF, including those in data
// URIs. It limits the memory that an image takes, fetches nothing, and depends on neither
// Markdown nor Fyne.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	_ "image/gif" // registers a format for Decode
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/webp"

	"goated/ui/view/format"
)

// The limits of an image. Drawing a larger image would take hundreds of megabytes.
const (
	MaxBytes  = 8 << 20
	MaxPixels = 16_000_000
)

// A Picture is a decoded image.
type Picture struct {
	Image         image.Image // not larger than Decode's limit
	Width, Height int         // the size of the original, in pixels
}

// Decode decodes a PNG, a JPEG, a WebP or the first frame of a GIF, and shrinks it to at most
// most pixels in width and height. It is slow, so callers must not use the UI goroutine.
func Decode(data []byte, most int) (p Picture, err error) {
	if len(data) > MaxBytes {
		return p, fmt.Errorf("the image is too large to show (%s of at most %s)", format.Size(int64(len(data))), format.Size(MaxBytes))
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return p, errors.New("goated can't show this image: save it and open it elsewhere")
	}
	p.Width, p.Height = config.Width, config.Height
	if int64(p.Width)*int64(p.Height) > MaxPixels {
		return p, fmt.Errorf("the image is too large to show (%d × %d pixels)", p.Width, p.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return p, errors.New("the image is damaged")
	}
	p.Image = shrink(img, most)
	return p, nil
}

// Readable reports whether [Decode] can decode images of a MIME type.
func Readable(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// shrink reduces an image by an integer factor. Each pixel is the mean of the pixels that it
// replaces.
func shrink(img image.Image, most int) image.Image {
	b := img.Bounds()
	n := (max(b.Dx(), b.Dy()) + most - 1) / most
	if n <= 1 {
		return img
	}
	out := image.NewRGBA64(image.Rect(0, 0, max(b.Dx()/n, 1), max(b.Dy()/n, 1)))
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			var r, g, bl, a, count uint64
			for dy := range n {
				for dx := range n {
					at := image.Pt(b.Min.X+x*n+dx, b.Min.Y+y*n+dy)
					if !at.In(b) {
						continue
					}
					r1, g1, b1, a1 := img.At(at.X, at.Y).RGBA()
					r, g, bl, a, count = r+uint64(r1), g+uint64(g1), bl+uint64(b1), a+uint64(a1), count+1
				}
			}
			out.SetRGBA64(x, y, color.RGBA64{R: uint16(r / count), G: uint16(g / count), B: uint16(bl / count), A: uint16(a / count)})
		}
	}
	return out
}
