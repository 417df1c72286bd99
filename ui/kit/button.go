package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A ButtonKind determines how prominent a button is.
type ButtonKind int

const (
	Ghost   ButtonKind = iota // no border or fill until the pointer enters
	Outline                   // with a border
	Primary                   // filled: at most one is visible
	Round                     // filled and round, with an icon only
	Pill                      // a few words on a rounded background
)

// A buttonLook holds options for the look of a button of any kind.
type buttonLook struct {
	keys   bool // the badge shows the shortcut of the button
	alarm  bool // the badge, or the background of a Pill, has warning colours
	warns  bool // the text has the colour of a failure
	on     bool // the button is selected, for example the button of the open page in a sidebar
	trails bool // the icon follows the text
}

// A Button runs one action. Tab can focus it, and Enter and the space bar press
// it.
type Button struct {
	widget.BaseWidget
	Text, Icon  string
	badge       string
	look        buttonLook
	kind        ButtonKind
	size        float32 // height; 0 means 36
	Wide        bool    // aligns the text left, for buttons as wide as a column
	IgnoreEnter bool    // ignores Enter, so that a user who goes on typing presses nothing

	OnTapped func()
	OnHover  func(bool) // receives true when the pointer enters, false when it leaves
	OnFocus  func(bool) // receives true when it gets the focus, false when it loses it

	disabled bool
	buttonState
}

// A buttonState holds how the user currently interacts with a button.
type buttonState struct{ hovered, focused, byMouse bool }

func NewButton(kind ButtonKind, icon, text string, tapped func()) *Button {
	b := &Button{kind: kind, Icon: icon, Text: text, OnTapped: tapped}
	if kind == Pill {
		b.size = 24
	}
	b.ExtendBaseWidget(b)
	return b
}

// String returns the text on the button. It is empty if the button has only an
// icon.
func (b *Button) String() string { return b.Text }

func (b *Button) Small() *Button { b.size = 28; return b }

// Keyed shows the shortcut of the button, and returns b.
func (b *Button) Keyed(keys string) *Button { b.badge, b.look.keys = keys, true; return b }

// Warning gives the text the colour of a failure, and returns b.
func (b *Button) Warning() *Button { b.look.warns = true; return b }

// SetAlarm shows the badge of a button, or the background of a Pill, in warning colours.
func SetAlarm(b *Button, on bool) { set(b, &b.look.alarm, on) }

// SetSelected marks the button as selected, for example the button of the open page.
func (b *Button) SetSelected(on bool) { set(b, &b.look.on, on) }

// Trailing puts the icon after the text, for example on a button that opens a menu. It returns b.
func (b *Button) Trailing() *Button { b.look.trails = true; return b }

func (b *Button) SetEnabled(on bool)   { set(b, &b.disabled, !on) }
func (b *Button) SetBadge(text string) { set(b, &b.badge, text) }
func (b *Button) SetIcon(icon string)  { set(b, &b.Icon, icon) }
func (b *Button) SetText(text string)  { set(b, &b.Text, text) }

// set changes a field of a button, and redraws the button if the value changed.
func set[T comparable](b *Button, field *T, to T) {
	if *field != to {
		*field = to
		b.Refresh()
	}
}

func (b *Button) Tapped(*fyne.PointEvent) {
	b.hover(false)
	if !b.disabled && b.OnTapped != nil {
		b.OnTapped()
	}
	b.byMouse = b.byMouse && b.focused // a later focus comes from the keyboard
}

func (b *Button) MouseDown(*desktop.MouseEvent)  { b.byMouse = true; b.Refresh() }
func (b *Button) MouseUp(*desktop.MouseEvent)    {}
func (b *Button) MouseIn(*desktop.MouseEvent)    { b.hovered = true; b.Refresh(); b.hover(true) }
func (b *Button) MouseMoved(*desktop.MouseEvent) {}
func (b *Button) MouseOut()                      { b.hovered = false; b.Refresh(); b.hover(false) }
func (b *Button) TypedRune(r rune)               { PassRune(b, r) }
func (b *Button) TypedShortcut(s fyne.Shortcut)  { PassShortcut(b, s) }

func (b *Button) TypedKey(e *fyne.KeyEvent) {
	b.byMouse = false
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !b.IgnoreEnter {
			b.Tapped(nil)
		}
	case fyne.KeySpace:
		b.Tapped(nil)
	default:
		PassKey(b, e)
	}
}

func (b *Button) FocusLost() { b.byMouse = false; b.setFocused(false) }

func (b *Button) setFocused(on bool) {
	b.focused = on
	b.Refresh()
	if b.OnFocus != nil {
		b.OnFocus(on)
	}
}

// FocusGained shows the focus ring and scrolls the button into view, unless the
// pointer gave it the focus.
func (b *Button) FocusGained() {
	b.setFocused(true)
	if !b.byMouse {
		ScrollIntoView(b, b)
	}
}

// Disabled removes an inactive button from the tab order.
func (b *Button) Disabled() bool { return b.disabled }
func (b *Button) Enable()        { b.SetEnabled(true) }
func (b *Button) Disable()       { b.SetEnabled(false) }

func (b *Button) hover(on bool) {
	if b.OnHover != nil {
		b.OnHover(on)
	}
}

func (b *Button) Cursor() desktop.Cursor {
	if b.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (b *Button) height() float32 {
	if b.size > 0 {
		return b.size
	}
	return 36
}

// colours returns the colours of the fill, the border and the content.
func (b *Button) colours() (fill, stroke, ink fyne.ThemeColorName) {
	fill, stroke, ink = ColorNone, ColorNone, ColorText
	switch b.kind {
	case Ghost:
		ink = ColorMuted
	case Outline:
		fill, stroke = ColorSurface, ColorBorder
	case Primary, Round:
		fill, ink = ColorPrimary, ColorOnPrimary
	case Pill:
		fill, ink = ColorBubble, ColorMuted
		if b.look.alarm {
			fill, ink = ColorWarnSoft, ColorWarn
		}
	}
	if b.look.warns {
		ink = ColorBad
	}
	if b.look.on {
		fill, ink = ColorSelected, ColorText
	}
	if b.disabled {
		ink = ColorFaint
		if fill == ColorPrimary {
			fill = ColorSelected
		}
	}
	return fill, stroke, ink
}

func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	_, _, ink := b.colours()
	r := &ButtonRenderer{
		b:     b,
		Ring:  canvas.NewRectangle(color.Transparent),
		face:  canvas.NewRectangle(color.Transparent),
		hover: canvas.NewRectangle(color.Transparent),
		icon:  NewIcon(b.Icon, 16, ink),
		label: NewLabel("", 13, ColorText).Medium(),
		pill:  NewPanel(ColorSoft, ColorNone, 9),
		count: NewLabel("", 11, ColorPrimary).Medium(),
	}
	r.label.size, r.label.Ellipsis = min(13, b.height()/2), true
	r.count.Centre = true
	r.Refresh()
	return r
}

type ButtonRenderer struct {
	b                 *Button
	Ring, face, hover *canvas.Rectangle
	icon              *Icon
	label, count      *Label
	pill              *Panel
}

// widths returns the width of each part, and the total width including the gaps.
func (r *ButtonRenderer) widths() (icon, gap, text, badge, all float32) {
	if r.b.Icon != "" {
		icon = r.iconSize()
	}
	if r.b.Text != "" {
		text = r.label.Measure(r.b.Text).Width
	}
	if icon > 0 && text > 0 {
		gap = min(8, r.b.height()-20)
	}
	if r.b.badge != "" {
		badge = max(18, r.count.Measure(r.b.badge).Width+10)
	}
	all = icon + gap + text
	if badge > 0 {
		all += badge + 8
	}
	return
}

func (r *ButtonRenderer) iconSize() float32 {
	if r.b.kind == Round {
		return 18
	}
	return min(16, r.b.height()-10)
}

func (r *ButtonRenderer) MinSize() fyne.Size {
	h := r.b.height()
	if r.b.Text == "" {
		return fyne.NewSquareSize(h)
	}
	_, _, _, _, all := r.widths()
	if r.b.Wide {
		all = 0
	}
	pad := float32(13)
	if h < 36 {
		pad = 9
	}
	return fyne.NewSize(all+2*pad, h)
}

func (r *ButtonRenderer) Layout(size fyne.Size) {
	for _, o := range []fyne.CanvasObject{r.face, r.hover} {
		o.Resize(size)
	}
	r.Ring.Move(fyne.NewPos(-3, -3))
	r.Ring.Resize(size.AddWidthHeight(6, 6))
	icon, gap, text, badge, all := r.widths()
	text = max(min(text, size.Width-(all-text)-12), 0) // truncates the text if the button is too narrow
	x := max((size.Width-all)/2, 6)
	if r.b.Wide {
		x = 12
		text = max(min(text, size.Width-x-icon-gap-12), 0)
	}
	if r.b.look.trails {
		Place(r.label, x, 0, text, size.Height)
		Place(r.icon, x+text+gap, (size.Height-icon)/2, icon, icon)
	} else {
		Place(r.icon, x, (size.Height-icon)/2, icon, icon)
		Place(r.label, x+icon+gap, 0, text, size.Height)
	}
	x += icon + gap + text + 8
	if r.b.Wide {
		x = size.Width - badge - 12
	}
	Place(r.pill, x, (size.Height-18)/2, badge, 18)
	Place(r.count, x, (size.Height-18)/2, badge, 18)
}

func (r *ButtonRenderer) Refresh() {
	b := r.b
	fill, stroke, ink := b.colours()
	radius := float32(9)
	if b.height() < 36 {
		radius = 7
	}
	if b.kind == Round || b.kind == Pill {
		radius = b.height() / 2
	}
	r.face.FillColor, r.face.StrokeColor, r.face.CornerRadius = theme.Color(fill), theme.Color(stroke), radius
	r.face.StrokeWidth = 0
	if stroke != ColorNone {
		r.face.StrokeWidth = 1
	}
	r.hover.FillColor, r.hover.CornerRadius = color.Transparent, radius
	if b.hovered && !b.disabled {
		r.hover.FillColor = theme.Color(theme.ColorNameHover)
	}
	r.Ring.StrokeColor, r.Ring.StrokeWidth, r.Ring.CornerRadius = color.Transparent, 2, radius+3
	if b.focused && !b.byMouse {
		r.Ring.StrokeColor = theme.Color(ColorAccent)
	}
	r.icon.Side = r.iconSize()
	r.icon.Hidden = b.Icon == ""
	if b.Icon != "" {
		r.icon.Set(b.Icon, ink)
	}
	r.label.Text, r.label.Color = b.Text, ink
	r.label.Refresh()
	r.pill.Hidden, r.count.Hidden = b.badge == "", b.badge == ""
	r.count.Set(b.badge)
	ground, edge, words := ColorSoft, ColorNone, ColorPrimary
	switch {
	case b.look.keys && b.kind == Primary:
		ground, edge, words = ColorNone, ink, ink
	case b.look.keys:
		ground, edge, words = ColorNone, ColorEdge, ColorMuted
	case b.look.alarm:
		ground, words = ColorWarnSoft, ColorWarn
	}
	if b.look.keys {
		r.pill.radius = 5
	}
	r.pill.Paint(ground, edge)
	r.count.Paint(words)
	r.Layout(b.Size())
	r.pill.Refresh()
	r.count.Refresh()
	canvas.Refresh(b)
}

func (r *ButtonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.Ring, r.face, r.hover, r.icon, r.label, r.pill, r.count}
}

func (r *ButtonRenderer) Destroy() {}
