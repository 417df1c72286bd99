package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// haloSteps is in how many beats a halo fades: eight tenths of a second.
const haloSteps = 8

// A halo is an edge that lights up once and fades.
type halo struct {
	widget.BaseWidget
	clock *kit.Clock
	beat  *kit.Beat
	step  int
	color fyne.ThemeColorName

	OnMove func(step int) // from 0, fully lit, to haloSteps, gone
}

func newHalo(c *kit.Clock) *halo {
	h := &halo{clock: c, step: haloSteps}
	h.ExtendBaseWidget(h)
	return h
}

func (h *halo) light(color fyne.ThemeColorName) {
	h.color, h.step = color, 0
	if h.beat == nil {
		h.beat = h.clock.Add(1, func() { h.step++; h.move() })
	}
	h.move()
}

func (h *halo) move() {
	if h.step >= haloSteps && h.beat != nil {
		h.clock.Remove(h.beat)
		h.beat = nil
	}
	h.Refresh()
	if h.OnMove != nil {
		h.OnMove(h.step)
	}
}

func (h *halo) CreateRenderer() fyne.WidgetRenderer {
	r := &haloRenderer{h: h, edge: canvas.NewRectangle(color.Transparent)}
	r.edge.StrokeWidth, r.edge.CornerRadius = 2, 12
	r.Refresh()
	return r
}

type haloRenderer struct {
	h    *halo
	edge *canvas.Rectangle
}

func (r *haloRenderer) Layout(size fyne.Size) { r.edge.Resize(size) }
func (r *haloRenderer) MinSize() fyne.Size    { return fyne.Size{} }

func (r *haloRenderer) Refresh() {
	r.edge.Hidden = r.h.step >= haloSteps
	if !r.edge.Hidden {
		c := color.NRGBAModel.Convert(theme.Color(r.h.color)).(color.NRGBA)
		c.A = uint8(int(c.A) * (haloSteps - r.h.step) / haloSteps)
		r.edge.StrokeColor = c
		c.A /= 16
		r.edge.FillColor = c
	}
	r.edge.Refresh()
}

func (r *haloRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.edge} }
func (r *haloRenderer) Destroy()                     {}
