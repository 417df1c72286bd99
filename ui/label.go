package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A label is one line of text of the window's furniture. Its methods belong to
// the UI goroutine.
type label struct {
	widget.BaseWidget
	text   string
	size   float32
	color  fyne.ThemeColorName
	style  fyne.TextStyle // for text that may hold any character: falls back to other fonts
	face   fyne.Resource  // for our own words only; overrides style
	cut    bool           // ends in an ellipsis where there is no room, instead of being wide
	centre bool
	right  bool
}

func newLabel(text string, size float32, color fyne.ThemeColorName) *label {
	l := &label{text: text, size: size, color: color}
	l.ExtendBaseWidget(l)
	return l
}

// String is the text, uncut. A screen reader or a test reads it.
func (l *label) String() string { return l.text }

// medium and strong set the weight; elided lets the label be cut.

func (l *label) medium() *label { l.face = faceMedium; return l }
func (l *label) strong() *label { l.style.Bold = true; return l }
func (l *label) mono() *label   { l.style.Monospace = true; return l }
func (l *label) elided() *label { l.cut = true; return l }

func (l *label) set(text string) {
	if l.text != text {
		l.text = text
		l.Refresh()
	}
}

func (l *label) paint(color fyne.ThemeColorName) {
	if l.color != color {
		l.color = color
		l.Refresh()
	}
}

func (l *label) measure(text string) fyne.Size {
	size, _ := measureIn(l.source(text), text, l.size, l.style)
	return size
}

// source is the typeface that text is set in; nil leaves it to the style.
func (l *label) source(text string) fyne.Resource {
	if l.face != nil {
		return l.face
	}
	return faceOf(text, l.style)
}

// fit cuts text to width.
func (l *label) fit(width float32) string {
	if !l.cut || l.measure(l.text).Width <= width {
		return l.text
	}
	runes := []rune(l.text)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if l.measure(string(runes[:mid])+"…").Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return string(runes[:lo]) + "…"
}

func (l *label) CreateRenderer() fyne.WidgetRenderer {
	r := &labelRenderer{l: l, t: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type labelRenderer struct {
	l *label
	t *canvas.Text
}

func (r *labelRenderer) Layout(size fyne.Size) {
	r.t.Text = r.l.fit(size.Width)
	r.t.FontSource = r.l.source(r.t.Text)
	m := r.l.measure(r.t.Text)
	x := float32(0)
	switch {
	case r.l.centre:
		x = (size.Width - m.Width) / 2
	case r.l.right:
		x = size.Width - m.Width
	}
	r.t.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
	r.t.Resize(m)
}

func (r *labelRenderer) MinSize() fyne.Size {
	m := r.l.measure(r.l.text)
	if r.l.cut {
		m.Width = 0
	}
	return m
}

func (r *labelRenderer) Refresh() {
	r.t.TextSize, r.t.TextStyle = r.l.size, r.l.style
	r.t.Color = theme.Color(r.l.color)
	r.Layout(r.l.Size())
	r.t.Refresh()
}

func (r *labelRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.t} }
func (r *labelRenderer) Destroy()                     {}
