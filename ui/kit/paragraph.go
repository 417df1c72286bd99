package kit

import (
	"slices"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/richtext"
	"goated/ui/typeset"
)

// A Paragraph is wrapped text that the user can select and copy. Its methods
// belong to the UI goroutine.
type Paragraph struct {
	widget.BaseWidget
	Spans   []richtext.Span
	Marks   [][2]int // character ranges, from and to, with a background
	size    float32
	leading float32 // the distance between two baselines
	Style   fyne.TextStyle
	color   fyne.ThemeColorName
	Centre  bool // centres each line; only for text that nobody needs to select

	width float32 // the width for which lines is valid
	lines []Line

	anchor, caret int  // the selection, in characters; equal means none
	held          bool // the user selects, or has selected, text in it with the pointer
}

// NewText returns a paragraph of text in one style.
func NewText(text string, size, leading float32, color fyne.ThemeColorName) *Paragraph {
	return NewSpans([]richtext.Span{{Text: text}}, size, leading, color)
}

// NewSpans returns a paragraph of styled text.
func NewSpans(spans []richtext.Span, size, leading float32, color fyne.ThemeColorName) *Paragraph {
	p := &Paragraph{Spans: spans, size: size, leading: leading, color: color, width: -1}
	p.ExtendBaseWidget(p)
	return p
}

// String returns the text without its styles.
func (p *Paragraph) String() string { return richtext.PlainText(p.Spans) }

func (p *Paragraph) set(spans []richtext.Span) {
	if !slices.Equal(p.Spans, spans) {
		p.Spans, p.width = spans, -1
		p.anchor, p.caret = 0, 0
		p.Refresh()
	}
}

func (p *Paragraph) SetText(text string) { p.set([]richtext.Span{{Text: text}}) }

// HeightFor breaks the text into lines of the given width and returns their height. It caches the
// lines of the last width.
func (p *Paragraph) HeightFor(width float32) float32 {
	if p.width != width || p.lines == nil {
		t := LineBreaker{TextSize: p.size, Style: p.Style, Width: width}
		p.lines, p.width = t.Break(p.Spans), width
	}
	return float32(len(p.lines)) * p.leading
}

func (p *Paragraph) CreateRenderer() fyne.WidgetRenderer {
	r := &paragraphRenderer{p: p}
	r.Refresh()
	return r
}

type paragraphRenderer struct {
	p       *Paragraph
	objects []fyne.CanvasObject
	set     float32 // the width for which objects is valid
}

func (r *paragraphRenderer) Layout(size fyne.Size) {
	if size.Width != r.set {
		r.Refresh()
	}
}

func (r *paragraphRenderer) MinSize() fyne.Size {
	w := r.p.Size().Width
	if w == 0 {
		w = 200
	}
	return fyne.NewSize(0, r.p.HeightFor(w))
}

func (r *paragraphRenderer) Refresh() {
	p := r.p
	r.set = p.Size().Width
	if r.set == 0 {
		r.objects = nil
		return
	}
	p.HeightFor(r.set)
	var chips, marks, texts []fyne.CanvasObject
	grounds := append(slices.Clip(p.Marks), [2]int{min(p.anchor, p.caret), max(p.anchor, p.caret)})
	var none *WordMeasure
	scale := typeset.ScaleOf(p)
	for i, line := range p.lines {
		top := float32(i) * p.leading
		body := none.Rise(p.size, p.Style)
		baseline := top + (p.leading-body.Height)/2 + body.Base
		for _, c := range line.Chips() {
			g := canvas.NewRectangle(theme.Color(ColorBubble))
			g.CornerRadius = 5
			Place(g, p.shift(line)+c.X, top+(p.leading-p.size-6)/2, c.W, p.size+6)
			chips = append(chips, g)
		}
		for _, f := range line.Parts {
			f.X += p.shift(line)
			for n, span := range grounds {
				a, b := max(span[0], f.At), min(span[1], f.At+f.N)
				if a >= b {
					continue
				}
				m := canvas.NewRectangle(theme.Color(ColorWarnSoft))
				if n == len(p.Marks) {
					m.FillColor = theme.Color(theme.ColorNameSelection)
				}
				x0, x1 := p.advance(f, a-f.At), p.advance(f, b-f.At)
				Place(m, f.X+min(x0, x1), top, max(x0, x1)-min(x0, x1), p.leading)
				marks = append(marks, m)
			}
			if s := f.Shaped(p.size); s != nil {
				g := typeset.NewGlyphs()
				g.Show(s, theme.Color(p.color), f.X, baseline, scale)
				texts = append(texts, g.Raster)
				continue
			}
			t := canvas.NewText(Shown(f.Text), theme.Color(p.color))
			t.TextSize, t.TextStyle = RunSize(p.size, f.Code), f.Font
			t.FontSource = FaceOf(t.Text, t.TextStyle)
			rise := none.Rise(t.TextSize, f.Font)
			Place(t, typeset.Snap(f.X, scale), typeset.Snap(baseline-rise.Base, scale), f.W, rise.Height)
			texts = append(texts, t)
		}
	}
	r.objects = slices.Concat(chips, marks, texts)
	canvas.Refresh(p)
}

func (r *paragraphRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *paragraphRenderer) Destroy()                     {}

// advance returns the width of the first n characters of a fragment.
func (p *Paragraph) advance(f Fragment, n int) float32 { return f.Advance(nil, p.size, n) }

// index returns the character boundary that is closest to a position.
func (p *Paragraph) index(pos fyne.Position) int {
	if len(p.lines) == 0 {
		return 0
	}
	row := max(0, min(int(pos.Y/p.leading), len(p.lines)-1))
	line := p.lines[row]
	return line.Index(nil, p.size, pos.X-p.shift(line))
}

// shift returns the distance of a line from the left edge. A paragraph that runs from right to
// left is aligned right.
func (p *Paragraph) shift(l Line) float32 {
	switch {
	case p.Centre:
		return (p.Size().Width - l.Width()) / 2
	case l.RTL:
		return max(p.Size().Width-l.Width(), 0)
	}
	return 0
}

// LineTop returns the top of the line that contains a character.
func (p *Paragraph) LineTop(at int) float32 {
	for i, line := range p.lines {
		if at < line.End {
			return float32(i) * p.leading
		}
	}
	return 0
}

// selectedText returns the selected text.
func (p *Paragraph) selectedText() string {
	text := []rune(richtext.PlainText(p.Spans))
	from, to := min(p.anchor, p.caret), min(max(p.anchor, p.caret), len(text))
	if from >= to {
		return ""
	}
	return string(text[from:to])
}

func (p *Paragraph) mark(anchor, caret int) {
	if p.anchor != anchor || p.caret != caret {
		p.anchor, p.caret = anchor, caret
		p.Refresh()
	}
}

// MouseDown begins a selection.
func (p *Paragraph) MouseDown(e *desktop.MouseEvent) {
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	at := p.index(e.Position)
	p.mark(at, at)
	p.held = true
	Focus(p)
}

func (p *Paragraph) MouseUp(*desktop.MouseEvent) {}

// Dragged extends the selection.
func (p *Paragraph) Dragged(e *fyne.DragEvent) { p.mark(p.anchor, p.index(e.Position)) }

func (p *Paragraph) DragEnd() {}

// DoubleTapped selects a word.
func (p *Paragraph) DoubleTapped(e *fyne.PointEvent) {
	text := []rune(richtext.PlainText(p.Spans))
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

func (p *Paragraph) Cursor() desktop.Cursor { return desktop.TextCursor }
func (p *Paragraph) FocusGained()           {}
func (p *Paragraph) FocusLost()             { p.held = false; p.mark(0, 0) }
func (p *Paragraph) TypedRune(rune)         {}

// Disabled removes a paragraph from the tab order, unless the user has selected text in it with
// the pointer.
func (p *Paragraph) Disabled() bool { return !p.held }
func (p *Paragraph) Disable()       {}
func (p *Paragraph) Enable()        {}

func (p *Paragraph) TypedKey(e *fyne.KeyEvent) { PassKey(p, e) }

func (p *Paragraph) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		if text := p.selectedText(); text != "" {
			s.Clipboard.SetContent(text)
		}
	case *fyne.ShortcutSelectAll:
		p.mark(0, len([]rune(richtext.PlainText(p.Spans))))
	default:
		PassShortcut(p, s)
	}
}

// PassKey forwards a key that the focused widget does not use to the window, because Fyne does
// not.
func PassKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := CanvasOf(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// PassShortcut forwards a shortcut that the focused widget does not use to the window, because
// Fyne does not.
func PassShortcut(o fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := CanvasOf(o).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// PassRune forwards a character that the focused widget does not use to the window, as Fyne does
// when nothing is focused.
func PassRune(o fyne.CanvasObject, r rune) {
	if c := CanvasOf(o); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}
