package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A meter shows how far something is, or only that it goes on. It moves when it
// is told to and never by itself.
type meter struct {
	widget.BaseWidget
	part float32 // from 0 to 1; less is unknown
	step int

	track, fill *kit.Panel
}

const (
	meterHeight = 4
	meterSteps  = 24 // of the fill, from one end to the other
)

func newMeter() *meter {
	g := &meter{part: -1, track: kit.NewPanel(kit.ColorSelected, kit.ColorNone, meterHeight/2), fill: kit.NewPanel(kit.ColorAccent, kit.ColorNone, meterHeight/2)}
	g.ExtendBaseWidget(g)
	return g
}

// set shows progress of total.
func (g *meter) set(progress, total float64) {
	part := float32(-1)
	if total > 0 {
		part = float32(max(min(progress/total, 1), 0))
	}
	if part != g.part {
		g.part = part
		g.Refresh()
	}
}

// move takes one step, where nobody knows how far it is.
func (g *meter) move() {
	if g.part < 0 && g.Visible() {
		g.step = (g.step + 1) % meterSteps
		g.Refresh()
	}
}

func (g *meter) CreateRenderer() fyne.WidgetRenderer { return &meterRenderer{g} }

type meterRenderer struct{ g *meter }

func (r *meterRenderer) Layout(size fyne.Size) {
	kit.Place(r.g.track, 0, 0, size.Width, size.Height)
	if r.g.part >= 0 {
		kit.Place(r.g.fill, 0, 0, max(size.Width*r.g.part, min(size.Height, size.Width)), size.Height)
		return
	}
	wide := size.Width / 4
	x := (size.Width+wide)*float32(r.g.step)/meterSteps - wide
	left, right := max(x, 0), min(x+wide, size.Width)
	kit.Place(r.g.fill, left, 0, max(right-left, 0), size.Height)
}

func (r *meterRenderer) MinSize() fyne.Size { return fyne.NewSize(0, meterHeight) }

func (r *meterRenderer) Refresh() {
	r.Layout(r.g.Size())
	r.g.track.Refresh()
	r.g.fill.Refresh()
}

func (r *meterRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.g.track, r.g.fill}
}

func (r *meterRenderer) Destroy() {}
