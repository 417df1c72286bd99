// Package shadow draws the soft shadow around an opaque panel, which Fyne cannot do.
//
// It owns the pictures that make up the shadow. It depends on neither panels nor themes: the
// caller passes the size of the panel and the colour.
package shadow

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

const (
	reach  = 28 // how far a shadow extends beyond its panel, in each direction
	drop   = 10 // how far a shadow is below its panel
	layers = 8  // how many layers of the colour overlap where the shadow is darkest
	step   = 4  // the distance between layers
)

// A Shadow is a ring of eight pictures. The panel hides the middle, so nothing is painted there.
// Without a graphics card, painting it would take 40 % of the time of a frame. A Shadow belongs
// to the UI goroutine.
type Shadow struct {
	size   fyne.Size // the size of the panel
	radius float32
	shade  func() color.Color // returns the colour of one layer
	drawn  color.Color        // the colour of the current pieces
	pieces []*canvas.Raster
}

// A piece is a part of the ring, with its size and its position relative to the panel's corner.
type piece struct {
	at   fyne.Position
	size fyne.Size
}

// New returns the shadow of a panel with the given corner radius. The shadow draws up to eight
// layers of a colour over each other. It calls shade for that colour when it paints.
func New(radius float32, shade func() color.Color) *Shadow {
	s := &Shadow{radius: radius, shade: shade}
	for i := range 8 {
		s.pieces = append(s.pieces, canvas.NewRaster(func(width, height int) image.Image { return s.paint(i, width, height) }))
	}
	return s
}

// Resize places the ring around a panel of the given size at (0, 0).
func (s *Shadow) Resize(size fyne.Size) {
	s.size = size
	for i, p := range s.ring() {
		s.pieces[i].Move(p.at)
		s.pieces[i].Resize(p.size)
	}
}

// Refresh paints the ring again if the colour has changed.
func (s *Shadow) Refresh() {
	shade := s.shade()
	if s.drawn == shade {
		return
	}
	s.drawn = shade
	for _, p := range s.pieces {
		p.Refresh()
	}
}

// Pieces returns the pictures of the ring. The caller draws them before the panel.
func (s *Shadow) Pieces() []fyne.CanvasObject {
	pieces := make([]fyne.CanvasObject, len(s.pieces))
	for i, p := range s.pieces {
		pieces[i] = p
	}
	return pieces
}

// ring divides the area around the panel into corners and sides. The pieces begin on whole pixels
// and extend below the panel, because of its round corners.
func (s *Shadow) ring() [8]piece {
	left, top := float32(-reach), float32(drop-reach)
	width, height := float32(math.Ceil(float64(s.size.Width)))+2*reach, float32(math.Ceil(float64(s.size.Height)))+2*reach
	deep := float32(reach) + s.radius
	across, down := max(0, min(deep, float32(math.Floor(float64(width)/2)))), max(0, min(deep, float32(math.Floor(float64(height)/2))))
	xs, ws := [3]float32{left, left + across, left + width - across}, [3]float32{across, width - 2*across, across}
	ys, hs := [3]float32{top, top + down, top + height - down}, [3]float32{down, height - 2*down, down}
	var ring [8]piece
	n := 0
	for row := range 3 {
		for column := range 3 {
			if row == 1 && column == 1 {
				continue // behind the panel
			}
			ring[n] = piece{fyne.NewPos(xs[column], ys[row]), fyne.NewSize(ws[column], hs[row])}
			n++
		}
	}
	return ring
}

// paint draws a piece with the given size in pixels.
func (s *Shadow) paint(i, width, height int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	p := s.ring()[i]
	shade := color.NRGBAModel.Convert(s.shade()).(color.NRGBA)
	var alphas [layers*32 + 1]uint8 // indexed by 32nds of a layer
	for n := range alphas {
		alphas[n] = uint8(math.Round(255 * (1 - math.Pow(1-float64(shade.A)/255, float64(n)/32))))
	}
	perX, perY := p.size.Width/float32(width), p.size.Height/float32(height)
	for y := range height {
		for x := range width {
			d := s.distance(p.at.X+(float32(x)+.5)*perX, p.at.Y-drop+(float32(y)+.5)*perY)
			deep := min(max((reach-d)/step, 0), layers)
			shade.A = alphas[int(deep*32)]
			img.SetNRGBA(x, y, shade)
		}
	}
	return img
}

// distance returns the distance of a point from the edge of the panel. It is negative inside the
// panel.
func (s *Shadow) distance(x, y float32) float64 {
	r := float64(min(s.radius, s.size.Width/2, s.size.Height/2))
	dx := math.Abs(float64(x-s.size.Width/2)) - float64(s.size.Width/2) + r
	dy := math.Abs(float64(y-s.size.Height/2)) - float64(s.size.Height/2) + r
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - r
}
