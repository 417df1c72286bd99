package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A hotspot is a region to press: it lies behind whatever is drawn on it, shows
// where the pointer and the focus are, and calls OnTapped.
type hotspot struct {
	widget.BaseWidget
	OnTapped func()
	OnMenu   func(at fyne.Position) // the other button of the mouse, where on the canvas

	still bool // not reached by Tab: something else moves through its kind

	fill, stroke                fyne.ThemeColorName // at rest
	radius                      float32
	hovered, focused, byPointer bool
}

func newHotspot(radius float32, tapped func()) *hotspot {
	h := &hotspot{OnTapped: tapped, fill: colorNone, stroke: colorNone, radius: radius}
	h.ExtendBaseWidget(h)
	return h
}

// rest sets its colours while nothing happens to it.
func (h *hotspot) rest(fill, stroke fyne.ThemeColorName) {
	if h.fill != fill || h.stroke != stroke {
		h.fill, h.stroke = fill, stroke
		h.Refresh()
	}
}

func (h *hotspot) Tapped(*fyne.PointEvent) {
	if h.OnTapped != nil {
		h.OnTapped()
	}
}

func (h *hotspot) TappedSecondary(e *fyne.PointEvent) {
	if h.OnMenu != nil {
		h.OnMenu(e.AbsolutePosition)
	}
}

// Disabled keeps a still hotspot out of the order of Tab; it can be pressed.
func (h *hotspot) Disabled() bool { return h.still }
func (h *hotspot) Enable()        {}
func (h *hotspot) Disable()       {}

func (h *hotspot) MouseDown(*desktop.MouseEvent)  { h.byPointer = true; h.Refresh() }
func (h *hotspot) MouseUp(*desktop.MouseEvent)    {}
func (h *hotspot) MouseIn(*desktop.MouseEvent)    { h.hovered = true; h.Refresh() }
func (h *hotspot) MouseMoved(*desktop.MouseEvent) {}
func (h *hotspot) MouseOut()                      { h.hovered = false; h.Refresh() }
func (h *hotspot) Cursor() desktop.Cursor         { return desktop.PointerCursor }
func (h *hotspot) FocusLost()                     { h.focused, h.byPointer = false, false; h.Refresh() }
func (h *hotspot) TypedRune(rune)                 {}
func (h *hotspot) TypedShortcut(s fyne.Shortcut)  { passShortcut(h, s) }

// FocusGained shows the ring and brings the region into sight, unless the pointer
// is there anyway.
func (h *hotspot) FocusGained() {
	h.focused = true
	h.Refresh()
	if !h.byPointer {
		bring(h)
	}
}

func (h *hotspot) TypedKey(e *fyne.KeyEvent) {
	h.byPointer = false
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		h.Tapped(nil)
	case fyne.KeyUp, fyne.KeyLeft:
		h.step(false)
	case fyne.KeyDown, fyne.KeyRight:
		h.step(true)
	case desktop.KeyMenu, fyne.KeyF10:
		if h.OnMenu != nil {
			h.OnMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(h).AddXY(16, h.Size().Height))
		}
	default:
		passKey(h, e)
	}
}

func (h *hotspot) CreateRenderer() fyne.WidgetRenderer {
	r := &hotspotRenderer{h: h, ground: newPanel(h.fill, h.stroke, h.radius), glow: newPanel(colorNone, colorNone, h.radius)}
	r.Refresh()
	return r
}

type hotspotRenderer struct {
	h            *hotspot
	ground, glow *panel
}

func (r *hotspotRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.glow.Resize(size)
}

func (r *hotspotRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *hotspotRenderer) Refresh() {
	stroke := r.h.stroke
	if r.h.focused && !r.h.byPointer {
		stroke = colorAccent
	}
	r.ground.paint(r.h.fill, stroke)
	r.ground.Refresh()
	if r.h.hovered {
		r.glow.paint(theme.ColorNameHover, colorNone)
	} else {
		r.glow.paint(colorNone, colorNone)
	}
}

func (r *hotspotRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.glow}
}

func (r *hotspotRenderer) Destroy() {}
