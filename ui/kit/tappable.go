package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Tappable is a region that the user can press. It lies below other objects, shows hover and
// focus, and calls OnTapped.
type Tappable struct {
	widget.BaseWidget
	OnTapped func()
	OnHover  func(bool)             // receives true when the pointer enters, false when it leaves; may be nil
	OnMenu   func(at fyne.Position) // runs on a secondary press or the menu key, with a position on the canvas

	SkipTab bool                    // not in the tab order: the owner moves the selection itself
	OnStep  func(forward bool) bool // runs on an arrow key; if it returns false, the focus moves to a neighbour

	fill, stroke                fyne.ThemeColorName // the colours without focus
	radius                      float32
	hovered, focused, byPointer bool
}

func NewTappable(radius float32, tapped func()) *Tappable {
	h := &Tappable{OnTapped: tapped, fill: ColorNone, stroke: ColorNone, radius: radius}
	h.ExtendBaseWidget(h)
	return h
}

func (t *Tappable) hover(on bool) {
	t.hovered = on
	t.Refresh()
	if t.OnHover != nil {
		t.OnHover(on)
	}
}

// SetColors sets the colours that the region has without hover and focus.
func (t *Tappable) SetColors(fill, stroke fyne.ThemeColorName) {
	if t.fill != fill || t.stroke != stroke {
		t.fill, t.stroke = fill, stroke
		t.Refresh()
	}
}

func (t *Tappable) Tapped(*fyne.PointEvent) {
	if t.OnHover != nil {
		t.OnHover(false)
	}
	if t.OnTapped != nil {
		t.OnTapped()
	}
	t.byPointer = t.byPointer && t.focused // a later focus comes from the keyboard
}

func (t *Tappable) TappedSecondary(e *fyne.PointEvent) {
	if t.OnMenu != nil {
		t.OnMenu(e.AbsolutePosition)
	}
}

// Disabled removes the tappable from the tab order if SkipTab is set. The pointer can still press
// it.
func (t *Tappable) Disabled() bool { return t.SkipTab }
func (t *Tappable) Enable()        {}
func (t *Tappable) Disable()       {}

func (t *Tappable) MouseDown(*desktop.MouseEvent)  { t.byPointer = true; t.Refresh() }
func (t *Tappable) MouseUp(*desktop.MouseEvent)    {}
func (t *Tappable) MouseIn(*desktop.MouseEvent)    { t.hover(true) }
func (t *Tappable) MouseMoved(*desktop.MouseEvent) {}
func (t *Tappable) MouseOut()                      { t.hover(false) }
func (t *Tappable) Cursor() desktop.Cursor         { return desktop.PointerCursor }
func (t *Tappable) FocusLost()                     { t.focused, t.byPointer = false, false; t.Refresh() }
func (t *Tappable) TypedRune(r rune)               { PassRune(t, r) }
func (t *Tappable) TypedShortcut(s fyne.Shortcut)  { PassShortcut(t, s) }

// FocusGained shows the focus ring and scrolls the region into view, unless the
// pointer gave it the focus.
func (t *Tappable) FocusGained() {
	t.focused = true
	t.Refresh()
	if !t.byPointer {
		ScrollIntoView(t, t)
	}
}

func (t *Tappable) TypedKey(e *fyne.KeyEvent) {
	t.byPointer = false
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		t.Tapped(nil)
	case fyne.KeyUp, fyne.KeyLeft:
		t.step(false)
	case fyne.KeyDown, fyne.KeyRight:
		t.step(true)
	case desktop.KeyMenu, fyne.KeyF10:
		if t.OnMenu != nil {
			t.OnMenu(PositionOf(t).AddXY(16, t.Size().Height))
		}
	default:
		PassKey(t, e)
	}
}

func (t *Tappable) CreateRenderer() fyne.WidgetRenderer {
	r := &TappableRenderer{h: t, Ground: NewPanel(t.fill, t.stroke, t.radius), hover: NewPanel(ColorNone, ColorNone, t.radius)}
	r.Refresh()
	return LaidOut(r, t.Size())
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
