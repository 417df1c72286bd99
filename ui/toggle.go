package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A toggle is a switch: what it is about stands beside it, and it takes effect at
// once.
type toggle struct {
	root  *fyne.Container
	spot  *hotspot
	track *panel
	knob  *panel
	on    bool

	OnChange func(on bool)
}

// The size of a switch, and of its knob.
const (
	toggleWidth  = 40
	toggleHeight = 24
	toggleKnob   = 18
)

func newToggle(on bool, changed func(bool)) *toggle {
	t := &toggle{track: newPanel(colorSunken, colorEdge, toggleHeight/2), knob: newPanel(colorEdge, colorNone, toggleKnob/2), OnChange: changed}
	t.spot = newHotspot(toggleHeight/2, func() {
		t.set(!t.on)
		if t.OnChange != nil {
			t.OnChange(t.on)
		}
	})
	t.root = container.New(toggled{t}, t.track, t.knob, t.spot)
	t.set(on)
	return t
}

func (t *toggle) set(on bool) {
	t.on = on
	if on {
		t.track.paint(colorPrimary, colorNone)
		t.knob.paint(colorOnPrimary, colorNone)
	} else {
		t.track.paint(colorSunken, colorEdge)
		t.knob.paint(colorEdge, colorNone)
	}
	t.root.Layout.Layout(t.root.Objects, t.root.Size())
}

// toggled is the layout of a switch: its knob is at the right while it is on.
type toggled struct{ t *toggle }

func (l toggled) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	y := (size.Height - toggleHeight) / 2
	place(l.t.track, 0, y, toggleWidth, toggleHeight)
	place(l.t.spot, 0, y, toggleWidth, toggleHeight)
	x := float32(toggleHeight-toggleKnob) / 2
	if l.t.on {
		x = toggleWidth - toggleKnob - x
	}
	place(l.t.knob, x, y+float32(toggleHeight-toggleKnob)/2, toggleKnob, toggleKnob)
}

func (toggled) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(toggleWidth, toggleHeight) }
