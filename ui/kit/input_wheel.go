package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A wheelPass lies over an input and handles the mouse wheel. Fyne's entry consumes wheel events
// even if it has nothing to scroll, and then the page under the pointer does not scroll.
type wheelPass struct {
	widget.BaseWidget
	in    *Input
	inner fyne.Scrollable // the entry's own scroller; nil if there is none
	wheel Wheel           // scrolls inner
}

func newWheelPass(in *Input, parts []fyne.CanvasObject) *wheelPass {
	w := &wheelPass{in: in}
	for _, o := range parts {
		if s, ok := o.(fyne.Scrollable); ok {
			w.inner = s
		}
	}
	w.ExtendBaseWidget(w)
	return w
}

func (w *wheelPass) Scrolled(e *fyne.ScrollEvent) {
	line := fyne.MeasureText("M", theme.TextSize(), w.in.TextStyle).Height
	if w.inner != nil && w.in.MultiLine && float32(w.in.Rows())*line+2*theme.InnerPadding() > w.in.Size().Height+1 {
		w.inner.Scrolled(&fyne.ScrollEvent{PointEvent: e.PointEvent, Scrolled: w.wheel.Distance(e)})
		return
	}
	c := CanvasOf(w.in)
	if c == nil {
		return
	}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	if around := scrollersAround(root, w.in, nil); len(around) > 0 {
		around[0].Scrolled(e)
	}
}

func (w *wheelPass) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(Margin{}))
}
