package desktop

import (
	"image"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A screen shows the picture of the hidden desktop as large as possible, but not larger than the
// desktop.
type screen struct {
	root   *fyne.Container
	frame  *kit.Panel
	image  *canvas.Image
	room   atomic.Pointer[image.Point] // the available size in pixels; the goroutine that takes pictures reads it
	size   image.Point                 // the size of the picture, in pixels
	pixels float32                     // the number of pixels per unit
}

func newScreen() *screen {
	s := &screen{frame: kit.NewPanel(kit.ColorNone, kit.ColorBorder, 4), image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest}, pixels: 1}
	s.room.Store(&image.Point{X: 960, Y: 600})
	s.root = container.New(s, s.image, s.frame)
	return s
}

// within returns the maximal size of a picture, in pixels. It is safe for concurrent use.
func (s *screen) within() image.Point { return *s.room.Load() }

// show shows a picture; nil removes it.
func (s *screen) show(p *image.RGBA) {
	if p == nil {
		s.image.Image, s.size = nil, image.Point{}
		return
	}
	grown := s.size != p.Rect.Max
	s.image.Image, s.size = p, p.Rect.Max
	if grown {
		s.Layout(s.root.Objects, s.root.Size())
	}
	s.image.Refresh()
}

// height returns the height of the picture in a room of the given size.
func (s *screen) height(room fyne.Size) float32 {
	w, h := float32(s.size.X)/s.pixels, float32(s.size.Y)/s.pixels
	if w == 0 || h == 0 {
		return room.Height
	}
	return h * min(room.Width/w, room.Height/h, 1)
}

// Layout implements fyne.Layout.
func (s *screen) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if c := kit.CanvasOf(s.root); c != nil && c.Scale() > 0 {
		s.pixels = c.Scale()
	}
	s.room.Store(&image.Point{X: max(int(size.Width*s.pixels), 1), Y: max(int(size.Height*s.pixels), 1)})
	if s.size.X == 0 {
		kit.Place(s.image, 0, 0, 0, 0)
		kit.Place(s.frame, 0, 0, 0, 0)
		return
	}
	w, h := float32(s.size.X)/s.pixels, float32(s.size.Y)/s.pixels
	if shrink := min(size.Width/w, size.Height/h, 1); shrink < 1 { // until a smaller picture arrives
		w, h = w*shrink, h*shrink
	}
	x, y := float32(int((size.Width-w)/2)), float32(0)
	kit.Place(s.image, x, y, w, h)
	kit.Place(s.frame, x-1, y-1, w+2, h+2)
}

// MinSize implements fyne.Layout.
func (s *screen) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 100) }
