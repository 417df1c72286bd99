package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Toggle is a switch that takes effect immediately. Its owner puts a title beside it.
type Toggle struct {
	Root  *fyne.Container
	spot  *Tappable
	track *Panel
	knob  *Panel
	on    bool
	size  toggleSize

	OnChange func(on bool)
}

// toggleSize is the size of a switch and its knob.
type toggleSize struct{ width, height, knob float32 }

// Small makes the switch as high as a line in a list, and returns t.
func (t *Toggle) Small() *Toggle {
	t.size = toggleSize{32, 20, 14}
	t.spot.radius, t.track.radius, t.knob.radius = 10, 10, 7
	t.Set(t.on)
	return t
}

// SkipTab removes the switch from the tab order, for owners that have a key for it.
func (t *Toggle) SkipTab() { t.spot.SkipTab = true }

// String returns the state of the switch, "on" or "off", for screen readers and tests.
func (t *Toggle) String() string {
	if t.on {
		return "on"
	}
	return "off"
}

func NewToggle(on bool, changed func(bool)) *Toggle {
	size := toggleSize{40, 24, 18}
	t := &Toggle{track: NewPanel(ColorSunken, ColorEdge, size.height/2), knob: NewPanel(ColorEdge, ColorNone, size.knob/2), size: size, OnChange: changed}
	t.spot = NewTappable(size.height/2, func() {
		t.Set(!t.on)
		if t.OnChange != nil {
			t.OnChange(t.on)
		}
	})
	t.Root = container.New(toggled{t}, t.track, t.knob, t.spot)
	t.Set(on)
	return t
}

// Set turns the switch on or off without calling OnChange.
func (t *Toggle) Set(on bool) {
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

// toggled lays out a switch. The knob is at the right while the switch is on.
type toggled struct{ t *Toggle }

func (l toggled) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	z := l.t.size
	y := (size.Height - z.height) / 2
	Place(l.t.track, 0, y, z.width, z.height)
	Place(l.t.spot, 0, y, z.width, z.height)
	x := (z.height - z.knob) / 2
	if l.t.on {
		x = z.width - z.knob - x
	}
	Place(l.t.knob, x, y+(z.height-z.knob)/2, z.knob, z.knob)
}

func (l toggled) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.t.size.width, l.t.size.height)
}
