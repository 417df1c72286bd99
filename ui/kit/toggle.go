package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Toggle is a switch that takes effect at once. Its owner puts a title beside it.
type Toggle struct {
	Root  *fyne.Container
	spot  *Tappable
	track *Panel
	knob  *Panel
	on    bool

	OnChange func(on bool)
}

// The size of a switch and its knob.
const (
	toggleWidth  = 40
	toggleHeight = 24
	toggleKnob   = 18
)

func NewToggle(on bool, changed func(bool)) *Toggle {
	t := &Toggle{track: NewPanel(ColorSunken, ColorEdge, toggleHeight/2), knob: NewPanel(ColorEdge, ColorNone, toggleKnob/2), OnChange: changed}
	t.spot = NewTappable(toggleHeight/2, func() {
		t.set(!t.on)
		if t.OnChange != nil {
			t.OnChange(t.on)
		}
	})
	t.Root = container.New(toggled{t}, t.track, t.knob, t.spot)
	t.set(on)
	return t
}

func (t *Toggle) set(on bool) {
	t.on = on
	if on {
		t.track.Paint(ColorPrimary, ColorNone)
		t.knob.Paint(ColorOnPrimary, ColorNone)
	} else {
		t.track.Paint(ColorSunken, ColorEdge)
		t.knob.Paint(ColorEdge, ColorNone)
	}
	t.Root.Layout.Layout(t.Root.Objects, t.Root.Size())
}

// toggled is the layout of a switch: the knob is at the right while the switch is
// on.
type toggled struct{ t *Toggle }

func (l toggled) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	y := (size.Height - toggleHeight) / 2
	Place(l.t.track, 0, y, toggleWidth, toggleHeight)
	Place(l.t.spot, 0, y, toggleWidth, toggleHeight)
	x := float32(toggleHeight-toggleKnob) / 2
	if l.t.on {
		x = toggleWidth - toggleKnob - x
	}
	Place(l.t.knob, x, y+float32(toggleHeight-toggleKnob)/2, toggleKnob, toggleKnob)
}

func (toggled) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(toggleWidth, toggleHeight) }
