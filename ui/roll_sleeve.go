package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// rolled gives a roll, or its sleeve, all the room there is.
type rolled struct{ roll *roll }

func (rolled) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		place(o, 0, 0, size.Width, size.Height)
	}
}

func (l rolled) heightFor(_ []fyne.CanvasObject, width float32) float32 {
	return l.roll.HeightFor(width)
}

func (rolled) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 0) }

// A sleeve cuts off what of a roll is out of sight, and takes the wheel.
type sleeve struct {
	widget.BaseWidget
	roll *roll
}

func newSleeve(r *roll) *sleeve {
	s := &sleeve{roll: r}
	s.ExtendBaseWidget(s)
	return s
}

func (s *sleeve) Scrolled(e *fyne.ScrollEvent) { s.roll.wheel(e) }

func (s *sleeve) CreateRenderer() fyne.WidgetRenderer { return &sleeveRenderer{s.roll} }

type sleeveRenderer struct{ roll *roll }

func (r *sleeveRenderer) Layout(size fyne.Size)        { place(r.roll, 0, 0, size.Width, size.Height) }
func (r *sleeveRenderer) MinSize() fyne.Size           { return fyne.NewSize(40, 0) }
func (r *sleeveRenderer) Refresh()                     { r.roll.Refresh() }
func (r *sleeveRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.roll} }
func (r *sleeveRenderer) Destroy()                     {}
