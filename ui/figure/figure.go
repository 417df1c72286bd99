// Package figure draws a picture of any size. It decodes the picture off the UI goroutine.
//
// It has no state besides its widgets. It must not depend on the source of the picture.
package figure

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/internal/errtext"
	"goated/ui/kit"
	"goated/ui/view/picture"
)

// MaxSide is the maximal side of a picture in pixels. It is twice the width of a card, for
// high-density screens.
const MaxSide = 1408

// A Figure is an image that is scaled down to the available space. It shows a note until the
// image is decoded on another goroutine.
type Figure struct {
	Root  *fyne.Container
	image *canvas.Image
	note  *kit.Label
	High  float32   // the maximal height
	size  fyne.Size // 0 before the image is decoded
	About string    // the size of the image as text; empty before the image is decoded

	OnReady func(about string) // runs when decoding has ended; the size may differ
}

// New returns the picture in data. Its height is at most high units.
func New(data []byte, work kit.Runner, high float32) *Figure {
	p := &Figure{High: high, note: kit.NewLabel("Reading the image…", 13, kit.ColorMuted).Elided(), image: &canvas.Image{FillMode: canvas.ImageFillContain}}
	p.image.CornerRadius = 6
	p.image.Hide()
	p.Root = container.New(layout{p}, p.note, p.image)
	work.Run(func() func() {
		read, err := picture.Decode(data, MaxSide)
		return func() { p.show(read, err) }
	})
	return p
}

// Ready reports whether an image was decoded.
func (p *Figure) Ready() bool { return p.size.Width > 0 }

func (p *Figure) show(read picture.Picture, err error) {
	if read.Width > 0 {
		p.About = fmt.Sprintf("%d × %d", read.Width, read.Height)
	}
	if err != nil {
		p.note.Set(errtext.PlainSentence(err))
	} else {
		p.size = fyne.NewSize(float32(read.Width), float32(read.Height))
		p.image.Image = read.Image
		p.image.Show()
		p.image.Refresh()
		p.note.Hide()
	}
	if p.OnReady != nil {
		p.OnReady(p.About)
	}
}

// layout scales the picture down to the available width.
type layout struct{ p *Figure }

// Fit returns the size of the image at a width.
func (p *Figure) Fit(width float32) fyne.Size {
	s := p.size
	if s.Width <= 0 || s.Height <= 0 {
		return fyne.NewSize(width, 24)
	}
	scale := min(1, width/s.Width, p.High/s.Height)
	return fyne.NewSize(s.Width*scale, max(s.Height*scale, 1))
}

func (l layout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	fit := l.p.Fit(size.Width)
	for _, o := range objects {
		kit.Place(o, 0, 0, fit.Width, fit.Height)
	}
}

func (l layout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	return l.p.Fit(width).Height
}
func (l layout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 24) }
