package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// An OptionKind determines how many options of a group can be on.
type OptionKind int

const (
	Checkbox    OptionKind = iota // any number can be on
	RadioButton                   // exactly one is on
)

// An Option is a checkbox or a radio button with its text.
type Option struct {
	Root     *fyne.Container
	Tappable *Tappable
	ground   *Panel
	tick     *Icon
	dot      *Panel
	kind     OptionKind
	On       bool
	OnChange func()
}

func NewOption(kind OptionKind, text string, on bool, changed func()) *Option {
	o := &Option{kind: kind, OnChange: changed}
	radius := float32(5)
	if kind == RadioButton {
		radius = 9
	}
	o.ground = NewPanel(ColorSurface, ColorEdge, radius)
	o.tick = NewIcon("check", 14, ColorOnPrimary)
	o.dot = NewPanel(ColorOnPrimary, ColorNone, 4)
	o.Tappable = NewTappable(9, func() {
		o.Set(!o.On || o.kind == RadioButton)
		if o.OnChange != nil {
			o.OnChange()
		}
	})
	o.Tappable.SetColors(ColorSurface, ColorBorder)
	label := NewLabel(text, 13, ColorText).Elided()
	mark := container.New(Fixed{fyne.NewSize(18, 18)}, o.ground, o.tick, Inset(Margin{5, 5, 5, 5}, o.dot))
	o.Root = container.New(Fixed{fyne.NewSize(1, 36)}, o.Tappable, Inset(Margin{0, 12, 0, 12}, Horizontal(10, label, mark, label)))
	o.Set(on)
	return o
}

// Set turns an option on or off without calling OnChange.
func (o *Option) Set(on bool) {
	o.On = on
	o.tick.Hidden = !on || o.kind == RadioButton
	o.dot.Hidden = !on || o.kind == Checkbox
	if on {
		o.ground.Paint(ColorPrimary, ColorNone)
	} else {
		o.ground.Paint(ColorSurface, ColorEdge)
	}
	o.tick.Refresh()
	o.dot.Refresh()
}

// NewTick returns a checkbox of 18 pixels without a text. The caller puts a text beside it.
func NewTick(on bool, changed func(bool)) fyne.CanvasObject {
	ground := NewPanel(ColorSurface, ColorEdge, 5)
	tick := NewIcon("check", 14, ColorOnPrimary)
	draw := func() {
		tick.Hidden = !on
		if ground.Paint(ColorSurface, ColorEdge); on {
			ground.Paint(ColorPrimary, ColorNone)
		}
		tick.Refresh()
	}
	spot := NewTappable(5, func() {
		on = !on
		draw()
		changed(on)
	})
	draw()
	return container.New(Fixed{fyne.NewSize(18, 18)}, ground, tick, spot)
}
