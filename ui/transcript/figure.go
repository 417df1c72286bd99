package transcript

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/view"
	"goated/ui/view/picture"
)

// maxPicture is the greatest side of a picture in pixels: twice the width of a
// card, for screens of high density.
const maxPicture = 1408

// A figure is an image of a tool result. It shows a note until the image is
// decoded on another goroutine.
type figure struct {
	root  *fyne.Container
	image *canvas.Image
	note  *kit.Label
	size  fyne.Size // 0 before decoding
	about string

	OnReady func(about string) // decoding ended; the size may differ
}

func newFigure(data []byte, e CardActions) *figure {
	p := &figure{note: kit.NewLabel("Reading the image…", 13, kit.ColorMuted).Elided(), image: &canvas.Image{FillMode: canvas.ImageFillContain}}
	p.image.CornerRadius = 6
	p.image.Hide()
	p.root = container.New(figureLayout{p}, p.note, p.image)
	e.Run(func() func() {
		read, err := picture.Decode(data, maxPicture)
		return func() { p.show(read, err) }
	})
	return p
}

func (p *figure) show(read picture.Picture, err error) {
	if read.Width > 0 {
		p.about = fmt.Sprintf("%d × %d", read.Width, read.Height)
	}
	if err != nil {
		p.note.Set(view.Sentence(err.Error()))
	} else {
		p.size = fyne.NewSize(float32(read.Width), float32(read.Height))
		p.image.Image = read.Image
		p.image.Show()
		p.image.Refresh()
		p.note.Hide()
	}
	if p.OnReady != nil {
		p.OnReady(p.about)
	}
}

// figureLayout scales the picture down to the available width.
type figureLayout struct{ p *figure }

func (l figureLayout) fit(width float32) fyne.Size {
	s := l.p.size
	if s.Width <= 0 || s.Height <= 0 {
		return fyne.NewSize(width, 24)
	}
	scale := min(1, width/s.Width, markdown.PictureHeight/s.Height)
	return fyne.NewSize(s.Width*scale, max(s.Height*scale, 1))
}

func (l figureLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	fit := l.fit(size.Width)
	for _, o := range objects {
		kit.Place(o, 0, 0, fit.Width, fit.Height)
	}
}

func (l figureLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	return l.fit(width).Height
}
func (l figureLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 24) }
