package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A progress is a progress bar. Without a known total it shows only activity.
// move animates it.
type progress struct {
	widget.BaseWidget
	part float32 // from 0 to 1; negative: unknown
	Step int

	track, fill *kit.Panel
}

const (
	progressHeight = 4
	progressSteps  = 24 // steps of the fill across the bar
)

func newProgress() *progress {
	g := &progress{part: -1, track: kit.NewPanel(kit.ColorSelected, kit.ColorNone, progressHeight/2), fill: kit.NewPanel(kit.ColorAccent, kit.ColorNone, progressHeight/2)}
	g.ExtendBaseWidget(g)
	return g
}

// set shows progress of total.
func (g *progress) set(progress, total float64) {
	part := float32(-1)
	if total > 0 {
		part = float32(max(min(progress/total, 1), 0))
	}
	if part != g.part {
		g.part = part
		g.Refresh()
	}
}

// move advances the animation of an unknown progress.
func (g *progress) move() {
	if g.part < 0 && g.Visible() {
		g.Step = (g.Step + 1) % progressSteps
		g.Refresh()
	}
}

func (g *progress) CreateRenderer() fyne.WidgetRenderer { return &progressRenderer{g} }

type progressRenderer struct{ g *progress }

func (r *progressRenderer) Layout(size fyne.Size) {
	kit.Place(r.g.track, 0, 0, size.Width, size.Height)
	if r.g.part >= 0 {
		kit.Place(r.g.fill, 0, 0, max(size.Width*r.g.part, min(size.Height, size.Width)), size.Height)
		return
	}
	wide := size.Width / 4
	x := (size.Width+wide)*float32(r.g.Step)/progressSteps - wide
	left, right := max(x, 0), min(x+wide, size.Width)
	kit.Place(r.g.fill, left, 0, max(right-left, 0), size.Height)
}

func (r *progressRenderer) MinSize() fyne.Size { return fyne.NewSize(0, progressHeight) }

func (r *progressRenderer) Refresh() {
	r.Layout(r.g.Size())
	r.g.track.Refresh()
	r.g.fill.Refresh()
}

func (r *progressRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.g.track, r.g.fill}
}

func (r *progressRenderer) Destroy() {}
