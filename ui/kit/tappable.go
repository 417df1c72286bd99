package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Tappable is a region that the user can press. It is below other objects,
// shows hover and focus, and calls OnTapped.
type Tappable struct {
	widget.BaseWidget
	OnTapped func()
	OnMenu   func(at fyne.Position) // runs on a secondary press or the menu key, with a position on the canvas

	SkipTab bool                    // not in the tab order: its owner moves the selection
	OnStep  func(forward bool) bool // runs on an arrow key; false: the focus moves to a neighbour

	fill, stroke                fyne.ThemeColorName // without focus
	radius                      float32
	hovered, focused, byPointer bool
}

func NewTappable(radius float32, tapped func()) *Tappable {
	h := &Tappable{OnTapped: tapped, fill: ColorNone, stroke: ColorNone, radius: radius}
	h.ExtendBaseWidget(h)
	return h
}

// SetColors sets the colours of the region without hover and focus.
func (h *Tappable) SetColors(fill, stroke fyne.ThemeColorName) {
	if h.fill != fill || h.stroke != stroke {
		h.fill, h.stroke = fill, stroke
		h.Refresh()
	}
}

func (h *Tappable) Tapped(*fyne.PointEvent) {
	if h.OnTapped != nil {
		h.OnTapped()
	}
	h.byPointer = h.byPointer && h.focused // a later focus comes from the keyboard
}

func (h *Tappable) TappedSecondary(e *fyne.PointEvent) {
	if h.OnMenu != nil {
		h.OnMenu(e.AbsolutePosition)
	}
}

// Disabled removes the tappable from the tab order if SkipTab is set. The pointer can press it.
func (h *Tappable) Disabled() bool { return h.SkipTab }
func (h *Tappable) Enable()        {}
func (h *Tappable) Disable()       {}

func (h *Tappable) MouseDown(*desktop.MouseEvent)  { h.byPointer = true; h.Refresh() }
func (h *Tappable) MouseUp(*desktop.MouseEvent)    {}
func (h *Tappable) MouseIn(*desktop.MouseEvent)    { h.hovered = true; h.Refresh() }
func (h *Tappable) MouseMoved(*desktop.MouseEvent) {}
func (h *Tappable) MouseOut()                      { h.hovered = false; h.Refresh() }
func (h *Tappable) Cursor() desktop.Cursor         { return desktop.PointerCursor }
func (h *Tappable) FocusLost()                     { h.focused, h.byPointer = false, false; h.Refresh() }
func (h *Tappable) TypedRune(r rune)               { PassRune(h, r) }
func (h *Tappable) TypedShortcut(s fyne.Shortcut)  { PassShortcut(h, s) }

// FocusGained shows the focus ring and scrolls the region into view, unless the
// pointer gave it the focus.
func (h *Tappable) FocusGained() {
	h.focused = true
	h.Refresh()
	if !h.byPointer {
		ScrollIntoView(h, h)
	}
}

func (h *Tappable) TypedKey(e *fyne.KeyEvent) {
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
		PassKey(h, e)
	}
}

func (h *Tappable) CreateRenderer() fyne.WidgetRenderer {
	r := &TappableRenderer{h: h, Ground: NewPanel(h.fill, h.stroke, h.radius), hover: NewPanel(ColorNone, ColorNone, h.radius)}
	r.Refresh()
	return r
}

type TappableRenderer struct {
	h             *Tappable
	Ground, hover *Panel
}

func (r *TappableRenderer) Layout(size fyne.Size) {
	r.Ground.Resize(size)
	r.hover.Resize(size)
}

func (r *TappableRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *TappableRenderer) Refresh() {
	stroke := r.h.stroke
	if r.h.focused && !r.h.byPointer {
		stroke = ColorAccent
	}
	r.Ground.Paint(r.h.fill, stroke)
	r.Ground.Refresh()
	if r.h.hovered {
		r.hover.Paint(theme.ColorNameHover, ColorNone)
	} else {
		r.hover.Paint(ColorNone, ColorNone)
	}
}

func (r *TappableRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.Ground, r.hover}
}

func (r *TappableRenderer) Destroy() {}
