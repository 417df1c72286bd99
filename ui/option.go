package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

type markKind int

const (
	boxMark markKind = iota // one of several can be on
	dotMark                 // only one is
)

// An option is something that is on or off.
type option struct {
	root     *fyne.Container
	spot     *hotspot
	ground   *panel
	tick     *glyph
	dot      *panel
	kind     markKind
	on       bool
	OnChange func()
}

func newOption(kind markKind, text string, on bool, changed func()) *option {
	o := &option{kind: kind, OnChange: changed}
	radius := float32(5)
	if kind == dotMark {
		radius = 9
	}
	o.ground = newPanel(colorSurface, colorEdge, radius)
	o.tick = newGlyph("check", 14, colorOnPrimary)
	o.dot = newPanel(colorOnPrimary, colorNone, 4)
	o.spot = newHotspot(9, func() {
		o.set(!o.on || o.kind == dotMark)
		if o.OnChange != nil {
			o.OnChange()
		}
	})
	o.spot.rest(colorSurface, colorBorder)
	label := newLabel(text, 13, colorText).elided()
	mark := container.New(fixed{fyne.NewSize(18, 18)}, o.ground, o.tick, inset(margin{5, 5, 5, 5}, o.dot))
	o.root = container.New(fixed{fyne.NewSize(1, 36)}, o.spot, inset(margin{0, 12, 0, 12}, horizontal(10, label, mark, label)))
	o.set(on)
	return o
}

func (o *option) set(on bool) {
	o.on = on
	o.tick.Hidden = !on || o.kind == dotMark
	o.dot.Hidden = !on || o.kind == boxMark
	if on {
		o.ground.paint(colorPrimary, colorNone)
	} else {
		o.ground.paint(colorSurface, colorEdge)
	}
	o.tick.Refresh()
	o.dot.Refresh()
}
