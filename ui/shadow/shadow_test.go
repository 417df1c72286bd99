package shadow

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
)

// The pieces of a shadow meet without overlapping, and none is behind the middle of the panel.
// The shadow fades to nothing at its outer edge.
func TestShadowIsARing(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 720, Height: 300}, {Width: 200.5, Height: 60.25}, {Width: 30, Height: 20}} {
		s := New(16, func() color.Color { return color.NRGBA{A: 14} })
		s.Resize(size)
		outer := image.Rect(0, 0, int(size.Width+1)+2*reach+2, int(size.Height+1)+2*reach+2)
		times := make(map[image.Point]int)
		for i, p := range s.ring() {
			at := image.Pt(int(p.at.X)+reach, int(p.at.Y)+reach-drop)
			img := s.paint(i, int(p.size.Width), int(p.size.Height))
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					times[at.Add(image.Pt(x, y))]++
				}
			}
		}
		for point, n := range times {
			if n != 1 || !point.In(outer) {
				t.Fatalf("%v: the pixel %v belongs to %d pieces", size, point, n)
			}
		}
		if n := times[image.Pt(reach+int(size.Width)/2, reach+int(size.Height)/2)]; n > 0 && size.Height > 100 {
			t.Errorf("%v: the shadow is painted behind the middle of its panel", size)
		}
		corner := s.paint(0, int(s.ring()[0].size.Width), int(s.ring()[0].size.Height))
		_, _, _, clear := corner.At(0, 0).RGBA()
		_, _, _, dark := corner.At(corner.Bounds().Dx()-1, corner.Bounds().Dy()-1).RGBA()
		if clear != 0 || dark == 0 {
			t.Errorf("%v: the corner begins with alpha %d and ends with %d", size, clear, dark)
		}
	}
}
