// Package samples contains texts and pictures for the tests of the window, and compares pictures. It
// must not know conversations and servers, so that tests of small packages can import it. Only
// tests import it.
package samples

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// Chart returns a PNG picture like one that a tool would draw.
func Chart(width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{250, 250, 248, 255}
			bar := x / max(width/12, 1)
			if x%max(width/12, 1) > width/50 && height-y < height*(3+bar*bar%7)/12 {
				c = color.RGBA{uint8(93 + bar*8), 133, uint8(112 + bar*4), 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img)
	return b.Bytes()
}
