package kit

import (
	"fmt"
	"image/color"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/richtext"
)

// maxPaste limits the size of one paste, in bytes. Fyne lays out the whole text of a field after
// each change, which freezes the window well below a megabyte.
const maxPaste = 64 << 10

// An Input extends Fyne's entry. Enter submits, Shift+Enter begins a new line, and unused keys go
// to the window. An Input refuses a paste that would freeze the window. Its cursor does not fade,
// because fading repaints the whole window sixty times a second.
type Input struct {
	widget.Entry
	Bare        bool // draws no border: the panel behind it shows the focus
	EnterBreaks bool // Enter begins a new line, and Ctrl+Enter submits

	OnSubmit func()
	OnAccept func() bool // handles Ctrl+Enter; if it returns true, the key does not submit
	OnRefuse func(sentence string)
	OnFocus  func(bool)
	OnTyped  func()
	OnKey    func(*fyne.KeyEvent) bool // returns true if it handled the key
	Paste    PasteHooks

	Lit, Wrong bool // the field's border shows the focus, or an error
	Shift      bool
	Hold       cursorHold
	last       string
}

// PasteHooks lets the owner of an input handle pastes. Each function may be nil.
type PasteHooks struct {
	On      func(text string) bool // returns true if it handled the paste
	Large   func(text string) bool // reports whether OnLarge receives a paste
	OnLarge func(text string)
	// Other is called for a clipboard without text, or with a text that only names files. It
	// returns true if it handles the paste. It may insert the text later.
	Other func(text string) bool
}

// A cursorHold keeps the cursor of a focused input from fading. It also keeps the cursor at the
// end of a text that is not laid out yet.
type cursorHold struct {
	clock *Clock
	Beat  *Ticker // nil without focus
	atEnd bool    // the cursor moves to the end when the field is laid out
}

// NewInput returns an empty input with one line, or with several if lines is true.
func NewInput(c *Clock, placeholder string, lines bool) *Input {
	in := &Input{Hold: cursorHold{clock: c}}
	in.ExtendBaseWidget(in)
	in.PlaceHolder = placeholder
	in.MultiLine = lines
	if lines {
		in.Wrapping = fyne.TextWrapWord
	}
	in.OnChanged = func(string) { in.typed() }
	return in
}

// String returns the text as the field shows it: a bullet for each character of a
// password.
func (in *Input) String() string {
	if in.Password {
		return strings.Repeat("•", utf8.RuneCountInString(in.Text))
	}
	return in.Text
}

// Hint returns the placeholder.
func (in *Input) Hint() string { return in.PlaceHolder }

// HintWidth returns the width that the placeholder needs, or 0 if the input wraps lines.
func (in *Input) HintWidth() float32 {
	if in.MultiLine {
		return 0
	}
	return fyne.MeasureText(in.PlaceHolder, theme.TextSize(), in.TextStyle).Width + 2*theme.InnerPadding()
}

// typed limits the length of the text, no matter how the user entered it.
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

// Put replaces the text and moves the cursor to its end. While the input has no width, the text
// has no lines, so the cursor moves once the field is laid out.
func (in *Input) Put(text string) {
	in.SetText(text)
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	in.Hold.atEnd = in.Size().Width == 0
}

func (in *Input) refuse() {
	if in.OnRefuse != nil {
		in.OnRefuse(fmt.Sprintf("That is more than %d kB. Save it to a file and attach the file instead.", maxPaste>>10))
	}
}

func (in *Input) FocusGained() {
	in.Entry.FocusGained()
	if in.Hold.Beat == nil {
		// An entry does not fade its cursor for 300 ms after a key. Repeating a key event without
		// a name changes nothing and prevents the fade.
		still := func() { in.Entry.TypedKey(&fyne.KeyEvent{}) }
		still()
		in.Hold.Beat = in.Hold.clock.Add(2, still)
	}
	if in.OnFocus != nil {
		in.OnFocus(true)
	}
	ScrollIntoView(in, in)
}

func (in *Input) FocusLost() {
	in.Entry.FocusLost()
	in.Shift = false
	if in.Hold.Beat != nil {
		in.Hold.clock.Remove(in.Hold.Beat)
		in.Hold.Beat = nil
	}
	if in.OnFocus != nil {
		in.OnFocus(false)
	}
}

// TappedSecondary opens the field's menu.
func (in *Input) TappedSecondary(e *fyne.PointEvent) {
	if l, ok := fyne.CurrentApp().Settings().Theme().(Theme); ok && l.Menu != nil {
		l.Menu.Open(in, e.AbsolutePosition)
		return
	}
	in.Entry.TappedSecondary(e)
}

// AcceptsTab returns false: Tab moves to the next field, even from an input with several lines.
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
		if !in.MultiLine || !in.Shift && !in.EnterBreaks {
			if in.OnSubmit != nil {
				in.OnSubmit()
			}
			return
		}
	case fyne.KeyEscape, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyF1:
		PassKey(in, e)
		return
	case fyne.KeyHome, fyne.KeyEnd:
		if in.Text == "" { // the cursor cannot move
			PassKey(in, e)
			return
		}
	}
	in.Entry.TypedKey(e)
}

func (in *Input) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		text := s.Clipboard.Content()
		if in.Paste.Other != nil && onlyNamesFiles(text) && in.Paste.Other(text) {
			return
		}
		if in.Paste.On != nil && len(text) <= maxPaste && in.Paste.On(text) {
			return
		}
		if in.Paste.OnLarge != nil && in.Paste.Large(text) {
			in.Paste.OnLarge(text)
			return
		}
		if len(text) > maxPaste {
			in.refuse()
			return
		}
	case *desktop.CustomShortcut:
		// The entry itself uses some modifiers to move by words and to delete words. Only
		// letters, Home, End, Page Up, Page Down and Alt with an arrow go to the window.
		if s.KeyName == fyne.KeyReturn || s.KeyName == fyne.KeyEnter {
			if (in.OnAccept == nil || !in.OnAccept()) && in.OnSubmit != nil {
				in.OnSubmit()
			}
			return
		}
		if s.Modifier&^fyne.KeyModifierShift == fyne.KeyModifierShortcutDefault && in.Text != "" {
			// Home and End move to the ends of the text, as Page Up and Page Down do in Fyne's
			// entry. With Shift, the entry selects up to there.
			switch s.KeyName {
			case fyne.KeyHome:
				in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
				return
			case fyne.KeyEnd:
				in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
				return
			}
		}
		walks := s.Modifier == fyne.KeyModifierAlt && (s.KeyName == fyne.KeyUp || s.KeyName == fyne.KeyDown)
		if walks || len(s.KeyName) == 1 || s.KeyName == fyne.KeyPageUp || s.KeyName == fyne.KeyPageDown || s.KeyName == fyne.KeyHome || s.KeyName == fyne.KeyEnd {
			PassShortcut(in, s)
			return
		}
	}
	in.Entry.TypedShortcut(s)
}

// Insert puts text at the cursor and replaces the selection, as a paste does.
func (in *Input) Insert(text string) {
	if len(text) > maxPaste {
		in.refuse()
		return
	}
	in.Entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: textClipboard(text)})
}

// Append puts text at the end, as a paste there does. It does not replace the selected text.
func (in *Input) Append(text string) {
	in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	in.Insert(text)
}

// A textClipboard is a clipboard that holds a fixed text.
type textClipboard string

func (t textClipboard) Content() string { return string(t) }
func (textClipboard) SetContent(string) {}

// onlyNamesFiles reports whether text is empty or consists only of absolute paths and file URIs.
// File managers put such a text on the clipboard together with the files.
func onlyNamesFiles(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "file://") && !filepath.IsAbs(line) {
			return false
		}
	}
	return len(text) <= maxPaste
}

// Rows returns the number of lines of the text at the width of the input.
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
	r := &inputRenderer{WidgetRenderer: inner, in: in, wheel: newWheelPass(in, inner.Objects())}
	for _, o := range inner.Objects() {
		// The first rectangle is the box; the last one is the border.
		if rect, ok := o.(*canvas.Rectangle); ok {
			r.border = rect
		}
	}
	r.Refresh()
	return r
}

// inputRenderer hides the border of a bare input.
type inputRenderer struct {
	fyne.WidgetRenderer
	in     *Input
	border *canvas.Rectangle
	wheel  *wheelPass
}

func (r *inputRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.wheel.Resize(size)
	if r.in.Hold.atEnd && size.Width > 0 {
		r.in.Hold.atEnd = false
		r.in.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
	if o, ok := r.wheel.inner.(fyne.CanvasObject); ok && !r.in.MultiLine {
		o.Resize(o.Size().AddWidthHeight(0, 4)) // the scroll bar of a long text is on the border, not over the letters
	}
}

func (r *inputRenderer) Objects() []fyne.CanvasObject {
	return append(r.WidgetRenderer.Objects(), r.wheel)
}

func (r *inputRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if r.in.Bare && r.border != nil {
		r.border.StrokeColor = color.Transparent
	}
}

// NewField puts an input on a panel whose border shows the focus. The panel is the
// first object of the result.
func NewField(in *Input) *fyne.Container {
	panel := NewPanel(ColorSurface, ColorEdge, 9)
	in.Bare = true
	in.OnFocus = func(on bool) {
		in.Lit = on
		in.Ring(panel)
	}
	return Boxed(panel, Margin{1, 2, 1, 2}, in)
}

// Ring sets the border of the field's panel according to the state: an error, the focus, or
// neither.
func (in *Input) Ring(panel *Panel) {
	panel.Bold = in.Lit
	switch {
	case in.Wrong:
		panel.Stroke = ColorBad
	case in.Lit:
		panel.Stroke = ColorAccent
	default:
		panel.Stroke = ColorEdge
	}
	panel.Refresh()
}
