package transcript

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// flashSteps is the duration of a flash in beats: 0.8 s.
const flashSteps = 8

// A flash is an outline that lights up once and fades.
type flash struct {
	widget.BaseWidget
	clock *kit.Clock
	beat  *kit.Ticker
	Step  int
	color fyne.ThemeColorName

	OnMove func(step int) // from 0 (fully lit) to flashSteps (gone)
}

func newFlash(c *kit.Clock) *flash {
	h := &flash{clock: c, Step: flashSteps}
	h.ExtendBaseWidget(h)
	return h
}

func (h *flash) light(color fyne.ThemeColorName) {
	h.color, h.Step = color, 0
	if h.beat == nil {
		h.beat = h.clock.Add(1, func() { h.Step++; h.move() })
	}
	h.move()
}

func (h *flash) move() {
	if h.Step >= flashSteps && h.beat != nil {
		h.clock.Remove(h.beat)
		h.beat = nil
	}
	h.Refresh()
	if h.OnMove != nil {
		h.OnMove(h.Step)
	}
}

func (h *flash) CreateRenderer() fyne.WidgetRenderer {
	r := &flashRenderer{h: h, edge: canvas.NewRectangle(color.Transparent)}
	r.edge.StrokeWidth, r.edge.CornerRadius = 2, 12
	r.Refresh()
	return r
}

type flashRenderer struct {
	h    *flash
	edge *canvas.Rectangle
}

func (r *flashRenderer) Layout(size fyne.Size) { r.edge.Resize(size) }
func (r *flashRenderer) MinSize() fyne.Size    { return fyne.Size{} }

func (r *flashRenderer) Refresh() {
	r.edge.Hidden = r.h.Step >= flashSteps
	if !r.edge.Hidden {
		c := color.NRGBAModel.Convert(theme.Color(r.h.color)).(color.NRGBA)
		c.A = uint8(int(c.A) * (flashSteps - r.h.Step) / flashSteps)
		r.edge.StrokeColor = c
		c.A /= 16
		r.edge.FillColor = c
	}
	r.edge.Refresh()
}

func (r *flashRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.edge} }
func (r *flashRenderer) Destroy()                     {}
