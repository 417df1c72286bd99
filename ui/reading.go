package ui

import (
	"slices"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/richtext"
)

// A prose is text to read: it wraps, it has room between its lines, and it can
// be selected and copied. Its methods belong to the UI goroutine.
type prose struct {
	widget.BaseWidget
	spans   []richtext.Span
	size    float32
	leading float32 // from one line to the next
	style   fyne.TextStyle
	color   fyne.ThemeColorName
	centre  bool // each line stands in the middle; for what can't be selected

	width float32 // that lines are set for
	lines []textLine

	anchor, caret int  // the selection, in characters; equal means none
	held          bool // the pointer is or was at work in it
}

func newProse(spans []richtext.Span, size, leading float32, color fyne.ThemeColorName) *prose {
	p := &prose{spans: spans, size: size, leading: leading, color: color, width: -1}
	p.ExtendBaseWidget(p)
	return p
}

// newText is prose without any marks in it.
func newText(text string, size, leading float32, color fyne.ThemeColorName) *prose {
	return newProse([]richtext.Span{{Text: text}}, size, leading, color)
}

// String is the text without its styles.
func (p *prose) String() string { return richtext.PlainText(p.spans) }

func (p *prose) set(spans []richtext.Span) {
	if !slices.Equal(p.spans, spans) {
		p.spans, p.width = spans, -1
		p.anchor, p.caret = 0, 0
		p.Refresh()
	}
}

func (p *prose) setText(text string) { p.set([]richtext.Span{{Text: text}}) }

// HeightFor sets the text for width, unless it is already.
func (p *prose) HeightFor(width float32) float32 {
	if p.width != width || p.lines == nil {
		t := typeset{size: p.size, style: p.style, width: width}
		p.lines, p.width = t.set(p.spans), width
	}
	return float32(len(p.lines)) * p.leading
}

func (p *prose) CreateRenderer() fyne.WidgetRenderer {
	r := &proseRenderer{p: p}
	r.Refresh()
	return r
}

type proseRenderer struct {
	p       *prose
	objects []fyne.CanvasObject
	set     float32 // the width that objects are made for
}

func (r *proseRenderer) Layout(size fyne.Size) {
	if size.Width != r.set {
		r.Refresh()
	}
}

func (r *proseRenderer) MinSize() fyne.Size {
	w := r.p.Size().Width
	if w == 0 {
		w = 200
	}
	return fyne.NewSize(0, r.p.HeightFor(w))
}

func (r *proseRenderer) Refresh() {
	p := r.p
	r.set = p.Size().Width
	if r.set == 0 {
		r.objects = nil
		return
	}
	p.HeightFor(r.set)
	var grounds, marks, texts []fyne.CanvasObject
	from, to := min(p.anchor, p.caret), max(p.anchor, p.caret)
	var none *gauge
	for i, line := range p.lines {
		top := float32(i) * p.leading
		body := none.rise(p.size, p.style)
		baseline := top + (p.leading-body.height)/2 + body.base
		for _, f := range line.parts {
			if p.centre {
				f.x += (r.set - line.width()) / 2
			}
			if f.chip {
				g := canvas.NewRectangle(theme.Color(colorBubble))
				g.CornerRadius = 5
				g.Move(fyne.NewPos(f.x-chipPad, top+(p.leading-p.size-6)/2))
				g.Resize(fyne.NewSize(f.w+2*chipPad, p.size+6))
				grounds = append(grounds, g)
			}
			if a, b := max(from, f.at), min(to, f.at+f.n); a < b {
				m := canvas.NewRectangle(theme.Color(theme.ColorNameSelection))
				x0, x1 := p.advance(f, a-f.at), p.advance(f, b-f.at)
				m.Move(fyne.NewPos(f.x+x0, top))
				m.Resize(fyne.NewSize(x1-x0, p.leading))
				marks = append(marks, m)
			}
			t := canvas.NewText(shown(f.text), theme.Color(p.color))
			t.TextSize, t.TextStyle = proseSize(p.size, f.chip), f.style
			t.FontSource = faceOf(t.Text, t.TextStyle)
			rise := none.rise(t.TextSize, f.style)
			t.Move(fyne.NewPos(f.x, baseline-rise.base))
			t.Resize(fyne.NewSize(f.w, rise.height))
			texts = append(texts, t)
		}
	}
	r.objects = slices.Concat(grounds, marks, texts)
	canvas.Refresh(p)
}

func (r *proseRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *proseRenderer) Destroy()                     {}

// advance is how far the first n characters of a fragment reach.
func (p *prose) advance(f fragment, n int) float32 { return f.advance(nil, p.size, n) }

// index is the place in the text that is nearest to a position.
func (p *prose) index(pos fyne.Position) int {
	if len(p.lines) == 0 {
		return 0
	}
	row := max(0, min(int(pos.Y/p.leading), len(p.lines)-1))
	line := p.lines[row]
	return line.index(nil, p.size, pos.X)
}

// Selected is the text that is marked.
func (p *prose) Selected() string {
	text := []rune(richtext.PlainText(p.spans))
	from, to := min(p.anchor, p.caret), min(max(p.anchor, p.caret), len(text))
	if from >= to {
		return ""
	}
	return string(text[from:to])
}

func (p *prose) mark(anchor, caret int) {
	if p.anchor != anchor || p.caret != caret {
		p.anchor, p.caret = anchor, caret
		p.Refresh()
	}
}

// MouseDown begins a selection.
func (p *prose) MouseDown(e *desktop.MouseEvent) {
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	at := p.index(e.Position)
	p.mark(at, at)
	p.held = true
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		c.Focus(p)
	}
}

func (p *prose) MouseUp(*desktop.MouseEvent) {}

// Dragged extends the selection.
func (p *prose) Dragged(e *fyne.DragEvent) { p.mark(p.anchor, p.index(e.Position)) }

func (p *prose) DragEnd() {}

// DoubleTapped selects a word.
func (p *prose) DoubleTapped(e *fyne.PointEvent) {
	text := []rune(richtext.PlainText(p.spans))
	at := p.index(e.Position)
	word := func(i int) bool {
		return i >= 0 && i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]) || text[i] == '_')
	}
	from, to := at, at
	for word(from - 1) {
		from--
	}
	for word(to) {
		to++
	}
	p.mark(from, to)
}

func (p *prose) Cursor() desktop.Cursor { return desktop.TextCursor }
func (p *prose) FocusGained()           {}
func (p *prose) FocusLost()             { p.held = false; p.mark(0, 0) }
func (p *prose) TypedRune(rune)         {}

// Disabled makes Tab pass over a text that is only there to be read: it has the
// focus while the pointer selects in it, and never else.
func (p *prose) Disabled() bool { return !p.held }
func (p *prose) Disable()       {}
func (p *prose) Enable()        {}

func (p *prose) TypedKey(e *fyne.KeyEvent) { passKey(p, e) }

func (p *prose) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		if text := p.Selected(); text != "" {
			s.Clipboard.SetContent(text)
		}
	case *fyne.ShortcutSelectAll:
		p.mark(0, len([]rune(richtext.PlainText(p.spans))))
	default:
		passShortcut(p, s)
	}
}

// passKey and passShortcut hand what a focused widget has no use for to the
// window, which Fyne would not do.

func passKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

func passShortcut(o fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(o).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}
