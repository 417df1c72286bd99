package ui

import (
	"fmt"
	"image/color"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/richtext"
)

// maxPaste is the most that a field takes at once. Fyne sets the whole text of a
// field anew with each change, which freezes the window long before a megabyte.
const maxPaste = 64 << 10

// An input is Fyne's entry with the manners of this window: Enter submits,
// Shift+Enter begins a new line, keys that are not for it go on to the window,
// a paste that would freeze is refused, and the cursor stands still instead of
// fading, which would paint the whole window sixty times a second.
type input struct {
	widget.Entry
	clock *clock
	bare  bool // no ring of its own: what it lies on shows the focus
	prose bool // Enter begins a new line too, and Ctrl+Enter submits

	OnSubmit func()
	OnRefuse func(sentence string)
	OnFocus  func(bool)
	OnTyped  func()
	OnKey    func(*fyne.KeyEvent) bool // true: the key was not for the field
	OnPaste  func(text string) bool    // true: it was taken
	large    int                       // bytes
	OnLarge  func(text string)         // takes a paste of more than large bytes

	lit, wrong bool // what the edge of its field says
	shift      bool
	hold       *beat
	last       string
}

func newInput(c *clock, placeholder string, lines bool) *input {
	in := &input{clock: c}
	in.ExtendBaseWidget(in)
	in.PlaceHolder = placeholder
	in.MultiLine = lines
	if lines {
		in.Wrapping = fyne.TextWrapWord
	}
	in.OnChanged = func(string) { in.typed() }
	return in
}

// String is the text of the field as it is shown: a password is bullets.
func (in *input) String() string {
	if in.Password {
		return strings.Repeat("•", utf8.RuneCountInString(in.Text))
	}
	return in.Text
}

// Hint is the text that an empty field shows.
func (in *input) Hint() string { return in.PlaceHolder }

// typed keeps the text bounded, whatever way it came in.
func (in *input) typed() {
	if len(in.Text) > 2*maxPaste {
		in.SetText(in.last)
		in.refuse()
		return
	}
	in.last = in.Text
	if in.OnTyped != nil {
		in.OnTyped()
	}
}

// put makes text the text, with the cursor behind it.
func (in *input) put(text string) {
	in.SetText(text)
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

func (in *input) refuse() {
	if in.OnRefuse != nil {
		in.OnRefuse(fmt.Sprintf("That is more than %d kB. Save it to a file and name the file instead.", maxPaste>>10))
	}
}

func (in *input) FocusGained() {
	in.Entry.FocusGained()
	if in.hold == nil {
		// An entry whose cursor was just moved holds its fade for 300 ms. A key
		// with no name moves nothing, so it holds it for ever.
		still := func() { in.Entry.TypedKey(&fyne.KeyEvent{}) }
		still()
		in.hold = in.clock.add(2, still)
	}
	if in.OnFocus != nil {
		in.OnFocus(true)
	}
	bring(in)
}

func (in *input) FocusLost() {
	in.Entry.FocusLost()
	in.shift = false
	if in.hold != nil {
		in.clock.remove(in.hold)
		in.hold = nil
	}
	if in.OnFocus != nil {
		in.OnFocus(false)
	}
}

// AcceptsTab is false: Tab goes to the next field, in many lines too.
func (in *input) AcceptsTab() bool { return false }

func (in *input) KeyDown(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		in.shift = true
	}
	in.Entry.KeyDown(e)
}

func (in *input) KeyUp(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		in.shift = false
	}
	in.Entry.KeyUp(e)
}

func (in *input) TypedKey(e *fyne.KeyEvent) {
	if in.OnKey != nil && in.OnKey(e) {
		return
	}
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !in.MultiLine || !in.shift && !in.prose {
			if in.OnSubmit != nil {
				in.OnSubmit()
			}
			return
		}
	case fyne.KeyEscape, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyF1:
		passKey(in, e)
		return
	}
	in.Entry.TypedKey(e)
}

func (in *input) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		text := s.Clipboard.Content()
		if in.OnPaste != nil && len(text) <= maxPaste && in.OnPaste(text) {
			return
		}
		if in.OnLarge != nil && len(text) > in.large {
			in.OnLarge(text)
			return
		}
		if len(text) > maxPaste {
			in.refuse()
			return
		}
	case *desktop.CustomShortcut:
		// Words are walked and deleted with a modifier too; only letters are the
		// window's.
		if s.KeyName == fyne.KeyReturn || s.KeyName == fyne.KeyEnter {
			if in.OnSubmit != nil {
				in.OnSubmit()
			}
			return
		}
		walks := s.Modifier == fyne.KeyModifierAlt && (s.KeyName == fyne.KeyUp || s.KeyName == fyne.KeyDown)
		if walks || len(s.KeyName) == 1 || s.KeyName == fyne.KeyPageUp || s.KeyName == fyne.KeyPageDown {
			passShortcut(in, s)
			return
		}
	}
	in.Entry.TypedShortcut(s)
}

// rows is how many lines the text takes, if they are as wide as the input is.
func (in *input) rows() int {
	width := in.Size().Width - 2*theme.InnerPadding()
	if width <= 0 {
		return 1
	}
	t := typeset{size: theme.TextSize(), width: width}
	return len(t.set([]richtext.Span{{Text: in.Text}}))
}

func (in *input) CreateRenderer() fyne.WidgetRenderer {
	inner := in.Entry.CreateRenderer()
	r := &inputRenderer{WidgetRenderer: inner, in: in}
	for _, o := range inner.Objects() {
		// The border is the rectangle that is only stroked; the box is first.
		if rect, ok := o.(*canvas.Rectangle); ok {
			r.border = rect
		}
	}
	r.Refresh()
	return r
}

// inputRenderer takes the ring away from a bare input.
type inputRenderer struct {
	fyne.WidgetRenderer
	in     *input
	border *canvas.Rectangle
}

func (r *inputRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if r.in.bare && r.border != nil {
		r.border.StrokeColor = color.Transparent
	}
}

// newField puts an input on the ground of a field, which shows the focus for it.
// The ground is the first object.
func newField(in *input) *fyne.Container {
	ground := newPanel(colorSurface, colorEdge, 9)
	in.bare = true
	in.OnFocus = func(on bool) {
		in.lit = on
		in.ring(ground)
	}
	return boxed(ground, margin{1, 2, 1, 2}, in)
}

// ring paints the edge of the field that an input lies on.
func (in *input) ring(ground *panel) {
	ground.bold = in.lit
	switch {
	case in.wrong:
		ground.stroke = colorBad
	case in.lit:
		ground.stroke = colorAccent
	default:
		ground.stroke = colorEdge
	}
	ground.Refresh()
}
