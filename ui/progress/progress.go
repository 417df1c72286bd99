// Package progress is a bar for the progress of a call.
//
// It has no state besides its widget. It must not depend on what makes progress.
package progress

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A Bar shows progress. If the total is unknown, it only shows activity, which Animate moves.
type Bar struct {
	widget.BaseWidget
	part float32 // from 0 to 1; negative: unknown
	Step int

	track, fill *kit.Panel
}

const (
	height = 4
	steps  = 24 // the number of steps in which the fill crosses the bar
)

// New returns a bar whose total is unknown.
func New() *Bar {
	g := &Bar{part: -1, track: kit.NewPanel(kit.ColorSelected, kit.ColorNone, height/2), fill: kit.NewPanel(kit.ColorAccent, kit.ColorNone, height/2)}
	g.ExtendBaseWidget(g)
	return g
}

// Set shows progress of total.
func (g *Bar) Set(progress, total float64) {
	part := float32(-1)
	if total > 0 {
		part = float32(max(min(progress/total, 1), 0))
	}
	if part != g.part {
		g.part = part
		g.Refresh()
	}
}

// Animate advances the animation for a bar with an unknown total.
func (g *Bar) Animate() {
	if g.part < 0 && g.Visible() {
		g.Step = (g.Step + 1) % steps
		g.Refresh()
	}
}

func (g *Bar) CreateRenderer() fyne.WidgetRenderer { return &renderer{g} }

type renderer struct{ g *Bar }

func (r *renderer) Layout(size fyne.Size) {
	kit.Place(r.g.track, 0, 0, size.Width, size.Height)
	if r.g.part >= 0 {
		kit.Place(r.g.fill, 0, 0, max(size.Width*r.g.part, min(size.Height, size.Width)), size.Height)
		return
	}
	wide := size.Width / 4
	x := (size.Width+wide)*float32(r.g.Step)/steps - wide
	left, right := max(x, 0), min(x+wide, size.Width)
	kit.Place(r.g.fill, left, 0, max(right-left, 0), size.Height)
}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(0, height) }

func (r *renderer) Refresh() {
	r.Layout(r.g.Size())
	r.g.track.Refresh()
	r.g.fill.Refresh()
}

func (r *renderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.g.track, r.g.fill}
}

func (r *renderer) Destroy() {}
