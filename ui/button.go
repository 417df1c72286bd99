package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A buttonKind says how much a button asks to be pressed.
type buttonKind int

const (
	ghost   buttonKind = iota // no edge until the pointer is there
	outline                   // an edge
	primary                   // filled: at most one in sight
	round                     // filled and round, with an icon only
)

// A button does one thing. It is reached by the pointer and by Tab, and pressed
// by Enter and by the space bar.
type button struct {
	widget.BaseWidget
	text, icon string
	badge      string
	kind       buttonKind
	size       float32 // height; 0 means 36
	wide       bool    // the text begins at the left, for buttons as wide as a column
	firm       bool    // Enter does not press it: who types on presses nothing

	OnTapped func()
	OnHover  func(bool) // the pointer has come, or gone

	disabled, hovered, focused, byMouse bool
}

func newButton(kind buttonKind, icon, text string, tapped func()) *button {
	b := &button{kind: kind, icon: icon, text: text, OnTapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

// String is the text on the button; empty if it has only an icon.
func (b *button) String() string { return b.text }

func (b *button) small() *button { b.size = 28; return b }

func (b *button) enable(on bool) {
	if b.disabled == on {
		b.disabled = !on
		b.Refresh()
	}
}

func (b *button) setBadge(text string) {
	if b.badge != text {
		b.badge = text
		b.Refresh()
	}
}

func (b *button) setIcon(icon string) {
	if b.icon != icon {
		b.icon = icon
		b.Refresh()
	}
}

func (b *button) setText(text string) {
	if b.text != text {
		b.text = text
		b.Refresh()
	}
}

func (b *button) Tapped(*fyne.PointEvent) {
	b.hover(false)
	if !b.disabled && b.OnTapped != nil {
		b.OnTapped()
	}
}

func (b *button) MouseDown(*desktop.MouseEvent)  { b.byMouse = true; b.Refresh() }
func (b *button) MouseUp(*desktop.MouseEvent)    {}
func (b *button) MouseIn(*desktop.MouseEvent)    { b.hovered = true; b.Refresh(); b.hover(true) }
func (b *button) MouseMoved(*desktop.MouseEvent) {}
func (b *button) MouseOut()                      { b.hovered = false; b.Refresh(); b.hover(false) }
func (b *button) FocusLost()                     { b.focused, b.byMouse = false, false; b.Refresh() }
func (b *button) TypedRune(rune)                 {}
func (b *button) TypedShortcut(s fyne.Shortcut)  { passShortcut(b, s) }

func (b *button) TypedKey(e *fyne.KeyEvent) {
	b.byMouse = false
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !b.firm {
			b.Tapped(nil)
		}
	case fyne.KeySpace:
		b.Tapped(nil)
	default:
		passKey(b, e)
	}
}

// FocusGained shows the ring and brings the button into sight, unless the pointer
// is there anyway.
func (b *button) FocusGained() {
	b.focused = true
	b.Refresh()
	if !b.byMouse {
		bring(b)
	}
}

// Disabled keeps a button that does nothing now out of the order of Tab.
func (b *button) Disabled() bool { return b.disabled }
func (b *button) Enable()        { b.enable(true) }
func (b *button) Disable()       { b.enable(false) }

func (b *button) hover(on bool) {
	if b.OnHover != nil {
		b.OnHover(on)
	}
}

func (b *button) Cursor() desktop.Cursor {
	if b.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (b *button) height() float32 {
	if b.size > 0 {
		return b.size
	}
	return 36
}

// colours are those of its face, its edge and what is on it.
func (b *button) colours() (fill, stroke, ink fyne.ThemeColorName) {
	fill, stroke, ink = colorNone, colorNone, colorText
	switch b.kind {
	case ghost:
		ink = colorMuted
	case outline:
		fill, stroke = colorSurface, colorBorder
	case primary, round:
		fill, ink = colorPrimary, colorOnPrimary
	}
	if b.disabled {
		ink = colorFaint
		if fill == colorPrimary {
			fill = colorSelected
		}
	}
	return fill, stroke, ink
}

func (b *button) CreateRenderer() fyne.WidgetRenderer {
	_, _, ink := b.colours()
	r := &buttonRenderer{
		b:     b,
		ring:  canvas.NewRectangle(color.Transparent),
		face:  canvas.NewRectangle(color.Transparent),
		hover: canvas.NewRectangle(color.Transparent),
		icon:  newGlyph(b.icon, 16, ink),
		label: newLabel("", 13, colorText).medium(),
		pill:  newPanel(colorSoft, colorNone, 9),
		count: newLabel("", 11, colorPrimary).medium(),
	}
	r.label.cut = b.wide
	r.count.centre = true
	r.Refresh()
	return r
}

type buttonRenderer struct {
	b                 *button
	ring, face, hover *canvas.Rectangle
	icon              *glyph
	label, count      *label
	pill              *panel
}

// widths of the parts, and of all together.
func (r *buttonRenderer) widths() (icon, gap, text, badge, all float32) {
	if r.b.icon != "" {
		icon = r.iconSize()
	}
	if r.b.text != "" {
		text = r.label.measure(r.b.text).Width
	}
	if icon > 0 && text > 0 {
		gap = 8
	}
	if r.b.badge != "" {
		badge = max(18, r.count.measure(r.b.badge).Width+10)
	}
	all = icon + gap + text
	if badge > 0 {
		all += badge + 8
	}
	return
}

func (r *buttonRenderer) iconSize() float32 {
	if r.b.kind == round {
		return 18
	}
	return 16
}

func (r *buttonRenderer) MinSize() fyne.Size {
	h := r.b.height()
	if r.b.text == "" {
		return fyne.NewSquareSize(h)
	}
	_, _, _, _, all := r.widths()
	if r.b.wide {
		all = 0
	}
	pad := float32(13)
	if h < 36 {
		pad = 9
	}
	return fyne.NewSize(all+2*pad, h)
}

func (r *buttonRenderer) Layout(size fyne.Size) {
	for _, o := range []fyne.CanvasObject{r.face, r.hover} {
		o.Resize(size)
	}
	r.ring.Move(fyne.NewPos(-3, -3))
	r.ring.Resize(size.AddWidthHeight(6, 6))
	icon, gap, text, badge, all := r.widths()
	x := (size.Width - all) / 2
	if r.b.wide {
		x = 12
		text = max(min(text, size.Width-x-icon-gap-12), 0)
	}
	place(r.icon, x, (size.Height-icon)/2, icon, icon)
	x += icon + gap
	place(r.label, x, 0, text, size.Height)
	x += text + 8
	place(r.pill, x, (size.Height-18)/2, badge, 18)
	place(r.count, x, (size.Height-18)/2, badge, 18)
}

func (r *buttonRenderer) Refresh() {
	b := r.b
	fill, stroke, ink := b.colours()
	radius := float32(9)
	if b.height() < 36 {
		radius = 7
	}
	if b.kind == round {
		radius = b.height() / 2
	}
	r.face.FillColor, r.face.StrokeColor, r.face.CornerRadius = theme.Color(fill), theme.Color(stroke), radius
	r.face.StrokeWidth = 0
	if stroke != colorNone {
		r.face.StrokeWidth = 1
	}
	r.hover.FillColor, r.hover.CornerRadius = color.Transparent, radius
	if b.hovered && !b.disabled {
		r.hover.FillColor = theme.Color(theme.ColorNameHover)
	}
	r.ring.StrokeColor, r.ring.StrokeWidth, r.ring.CornerRadius = color.Transparent, 2, radius+3
	if b.focused && !b.byMouse {
		r.ring.StrokeColor = theme.Color(colorAccent)
	}
	r.icon.size = r.iconSize()
	r.icon.Hidden = b.icon == ""
	if b.icon != "" {
		r.icon.set(b.icon, ink) // each time, it would be read and drawn anew
	}
	r.label.text, r.label.color = b.text, ink
	r.label.Refresh()
	r.pill.Hidden, r.count.Hidden = b.badge == "", b.badge == ""
	r.count.set(b.badge)
	r.Layout(b.Size())
	r.pill.Refresh()
	r.count.Refresh()
	canvas.Refresh(b)
}

func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ring, r.face, r.hover, r.icon, r.label, r.pill, r.count}
}

func (r *buttonRenderer) Destroy() {}
