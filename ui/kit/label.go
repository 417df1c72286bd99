package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/internal/safetext"
	"goated/ui/typeset"
)

// A Label is one line of text in a control. Its methods belong to the UI goroutine.
type Label struct {
	widget.BaseWidget
	Text          string
	size          float32
	Color         fyne.ThemeColorName
	Style         fyne.TextStyle // for text with any characters: it falls back to other fonts
	face          fyne.Resource  // for the program's own texts only; overrides Style
	Ellipsis      bool           // ends in an ellipsis if the text does not fit; the minimal width is 0
	Whole         bool           // with Ellipsis: shows nothing instead of a truncated text
	Centre, Right bool
}

func NewLabel(text string, size float32, color fyne.ThemeColorName) *Label {
	l := &Label{Text: text, size: size, Color: color}
	l.ExtendBaseWidget(l)
	return l
}

// String returns the whole text, for screen readers and tests.
func (l *Label) String() string { return l.Text }

// Medium selects the medium weight and returns l.
func (l *Label) Medium() *Label { l.face = faceMedium; return l }

// Strong selects the bold weight and returns l.
func (l *Label) Strong() *Label { l.Style.Bold = true; return l }

// Mono selects the monospaced typeface and returns l.
func (l *Label) Mono() *Label { l.Style.Monospace = true; return l }

// Elided sets Ellipsis and returns l.
func (l *Label) Elided() *Label { l.Ellipsis = true; return l }

func (l *Label) Set(text string) {
	if l.Text != text {
		l.Text = text
		l.Refresh()
	}
}

func (l *Label) Paint(color fyne.ThemeColorName) {
	if l.Color != color {
		l.Color = color
		l.Refresh()
	}
}

func (l *Label) Measure(text string) fyne.Size {
	size, _ := measureIn(l.source(text), text, l.size, l.Style)
	return size
}

// source returns the typeface for text, or nil to let Fyne choose.
func (l *Label) source(text string) fyne.Resource {
	if l.face != nil {
		return l.face
	}
	return FaceOf(text, l.Style)
}

// Fit returns the text, truncated to width if Ellipsis is set.
func (l *Label) Fit(width float32) string {
	text := safetext.OneLine(l.Text)
	if !l.Ellipsis || l.Measure(text).Width <= width {
		return text
	}
	if l.Whole {
		return ""
	}
	runes := []rune(text)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if l.Measure(string(runes[:mid])+"…").Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	for lo > 0 && lo < len(runes) && typeset.Joins(runes[lo]) {
		lo--
	}
	return string(runes[:lo]) + "…"
}

func (l *Label) CreateRenderer() fyne.WidgetRenderer {
	r := &labelRenderer{l: l, t: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type labelRenderer struct {
	l *Label
	t *canvas.Text
	g *typeset.Glyphs // draws what the typefaces do not cover; nil until needed
}

func (r *labelRenderer) Layout(size fyne.Size) {
	r.t.Text = r.l.Fit(size.Width)
	r.t.FontSource = r.l.source(r.t.Text)
	m := r.l.Measure(r.t.Text)
	x := float32(0)
	switch {
	case r.l.Centre:
		x = (size.Width - m.Width) / 2
	case r.l.Right:
		x = size.Width - m.Width
	}
	scale := typeset.ScaleOf(r.l)
	y := typeset.Snap((size.Height-m.Height)/2, scale)
	r.t.Move(fyne.NewPos(typeset.Snap(x, scale), y))
	r.t.Resize(m)
	s := r.shaped()
	if r.t.Hidden = s != nil; r.t.Hidden {
		if r.g == nil {
			r.g = typeset.NewGlyphs()
		}
		_, base := MeasureText("x", r.l.size, r.l.Style)
		r.g.Show(s, r.t.Color, x, y+base, scale)
	}
	if r.g != nil {
		r.g.Hidden = s == nil
	}
}

// shaped returns the shaped text if the typefaces do not cover it, and nil otherwise.
func (r *labelRenderer) shaped() *typeset.Text {
	if r.l.face != nil {
		return nil
	}
	return Shape(r.t.Text, r.l.size, r.l.Style, -1)
}

func (r *labelRenderer) MinSize() fyne.Size {
	m := r.l.Measure(safetext.OneLine(r.l.Text))
	if r.l.Ellipsis {
		m.Width = 0
	}
	return m
}

func (r *labelRenderer) Refresh() {
	r.t.TextSize, r.t.TextStyle = r.l.size, r.l.Style
	r.t.Color = theme.Color(r.l.Color)
	r.Layout(r.l.Size())
	r.t.Refresh()
}

func (r *labelRenderer) Objects() []fyne.CanvasObject {
	if r.g != nil {
		return []fyne.CanvasObject{r.t, r.g.Raster}
	}
	return []fyne.CanvasObject{r.t}
}

func (r *labelRenderer) Destroy() {}
