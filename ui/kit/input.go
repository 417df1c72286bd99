package kit

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

// An Input is Fyne's entry with the manners of this window: Enter submits,
// Shift+Enter begins a new line, keys that are not for it go on to the window,
// a paste that would freeze is refused, and the cursor stands still instead of
// fading, which would paint the whole window sixty times a second.
type Input struct {
	widget.Entry
	clock *Clock
	Bare  bool // no ring of its own: what it lies on shows the focus
	Prose bool // Enter begins a new line too, and Ctrl+Enter submits

	OnSubmit func()
	OnRefuse func(sentence string)
	OnFocus  func(bool)
	OnTyped  func()
	OnKey    func(*fyne.KeyEvent) bool // true: the key was not for the field
	OnPaste  func(text string) bool    // true: it was taken
	Large    int                       // bytes
	OnLarge  func(text string)         // takes a paste of more than large bytes

	Lit, Wrong bool // what the edge of its field says
	Shift      bool
	Hold       *Beat
	last       string
}

func NewInput(c *Clock, placeholder string, lines bool) *Input {
	in := &Input{clock: c}
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
func (in *Input) String() string {
	if in.Password {
		return strings.Repeat("•", utf8.RuneCountInString(in.Text))
	}
	return in.Text
}

// Hint is the text that an empty field shows.
func (in *Input) Hint() string { return in.PlaceHolder }

// typed keeps the text bounded, whatever way it came in.
func (in *Input) typed() {
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

// Put makes text the text, with the cursor behind it.
func (in *Input) Put(text string) {
	in.SetText(text)
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

func (in *Input) refuse() {
	if in.OnRefuse != nil {
		in.OnRefuse(fmt.Sprintf("That is more than %d kB. Save it to a file and name the file instead.", maxPaste>>10))
	}
}

func (in *Input) FocusGained() {
	in.Entry.FocusGained()
	if in.Hold == nil {
		// An entry whose cursor was just moved holds its fade for 300 ms. A key
		// with no name moves nothing, so it holds it for ever.
		still := func() { in.Entry.TypedKey(&fyne.KeyEvent{}) }
		still()
		in.Hold = in.clock.Add(2, still)
	}
	if in.OnFocus != nil {
		in.OnFocus(true)
	}
	ScrollIntoView(in)
}

func (in *Input) FocusLost() {
	in.Entry.FocusLost()
	in.Shift = false
	if in.Hold != nil {
		in.clock.Remove(in.Hold)
		in.Hold = nil
	}
	if in.OnFocus != nil {
		in.OnFocus(false)
	}
}

// AcceptsTab is false: Tab goes to the next field, in many lines too.
func (in *Input) AcceptsTab() bool { return false }

func (in *Input) KeyDown(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		in.Shift = true
	}
	in.Entry.KeyDown(e)
}

func (in *Input) KeyUp(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		in.Shift = false
	}
	in.Entry.KeyUp(e)
}

func (in *Input) TypedKey(e *fyne.KeyEvent) {
	if in.OnKey != nil && in.OnKey(e) {
		return
	}
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !in.MultiLine || !in.Shift && !in.Prose {
			if in.OnSubmit != nil {
				in.OnSubmit()
			}
			return
		}
	case fyne.KeyEscape, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyF1:
		PassKey(in, e)
		return
	}
	in.Entry.TypedKey(e)
}

func (in *Input) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		text := s.Clipboard.Content()
		if in.OnPaste != nil && len(text) <= maxPaste && in.OnPaste(text) {
			return
		}
		if in.OnLarge != nil && len(text) > in.Large {
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
			PassShortcut(in, s)
			return
		}
	}
	in.Entry.TypedShortcut(s)
}

// Rows is how many lines the text takes, if they are as wide as the input is.
func (in *Input) Rows() int {
	width := in.Size().Width - 2*theme.InnerPadding()
	if width <= 0 {
		return 1
	}
	t := LineBreaker{TextSize: theme.TextSize(), Width: width}
	return len(t.Break([]richtext.Span{{Text: in.Text}}))
}

func (in *Input) CreateRenderer() fyne.WidgetRenderer {
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
	in     *Input
	border *canvas.Rectangle
}

func (r *inputRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if r.in.Bare && r.border != nil {
		r.border.StrokeColor = color.Transparent
	}
}

// NewField puts an input on the ground of a field, which shows the focus for it.
// The ground is the first object.
func NewField(in *Input) *fyne.Container {
	ground := NewPanel(ColorSurface, ColorEdge, 9)
	in.Bare = true
	in.OnFocus = func(on bool) {
		in.Lit = on
		in.Ring(ground)
	}
	return Boxed(ground, Margin{1, 2, 1, 2}, in)
}

// Ring paints the edge of the field that an input lies on.
func (in *Input) Ring(ground *Panel) {
	ground.Bold = in.Lit
	switch {
	case in.Wrong:
		ground.Stroke = ColorBad
	case in.Lit:
		ground.Stroke = ColorAccent
	default:
		ground.Stroke = ColorEdge
	}
	ground.Refresh()
}
