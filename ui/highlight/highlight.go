// Package highlight draws one line of text with the characters that match a query. It must not
// depend on what is searched.
package highlight

import (
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/typeset"
)

// A Highlight is one line of text with highlighted characters, which match a query. It ends in an
// ellipsis if the text does not fit.
type Highlight struct {
	widget.BaseWidget
	text     string
	at       []int // the indexes of the highlighted characters, ascending
	TextSize float32
	Color    fyne.ThemeColorName
}

func New(size float32) *Highlight {
	l := &Highlight{TextSize: size, Color: kit.ColorText}
	l.ExtendBaseWidget(l)
	return l
}

// String returns the whole text.
func (l *Highlight) String() string { return l.text }

func (l *Highlight) Set(text string, at []int) {
	l.text, l.at = text, at
	l.Refresh()
}

func (l *Highlight) CreateRenderer() fyne.WidgetRenderer {
	r := &highlightRenderer{l: l}
	r.Refresh()
	return r
}

type highlightRenderer struct {
	l       *Highlight
	objects []fyne.CanvasObject
	width   float32 // the width for which objects is valid
}

func (r *highlightRenderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.Refresh()
	}
}

func (r *highlightRenderer) MinSize() fyne.Size {
	size, _ := kit.MeasureText("x", r.l.TextSize, fyne.TextStyle{})
	return fyne.NewSize(0, size.Height)
}

// Refresh draws one text object per run of equally highlighted characters. It draws nothing
// before the first layout. Without a width, it would measure each prefix of the text to truncate
// it.
func (r *highlightRenderer) Refresh() {
	r.width = r.l.Size().Width
	r.objects = nil
	if r.width <= 0 {
		return
	}
	runes := []rune(r.l.text)
	lit := make([]bool, len(runes)+1)
	for _, i := range r.l.at {
		if i < len(runes) {
			lit[i] = true
		}
	}
	x, scale := float32(0), typeset.ScaleOf(r.l)
	for from := 0; from < len(runes); {
		to := from + 1
		for to < len(runes) && lit[to] == lit[from] {
			to++
		}
		t := canvas.NewText(safetext.OneLine(string(runes[from:to])), theme.Color(r.l.Color))
		t.TextSize = r.l.TextSize
		if lit[from] {
			t.TextStyle.Bold = true
			t.Color = theme.Color(kit.ColorAccent)
		}
		size, _ := kit.MeasureText(t.Text, t.TextSize, t.TextStyle)
		last := x+size.Width > r.width
		if last {
			t.Text = r.cut(t, r.width-x)
			size, _ = kit.MeasureText(t.Text, t.TextSize, t.TextStyle)
		}
		t.FontSource = kit.FaceOf(t.Text, t.TextStyle)
		y := typeset.Snap((r.l.Size().Height-size.Height)/2, scale)
		t.Move(fyne.NewPos(typeset.Snap(x, scale), y))
		t.Resize(size)
		if s := kit.Shape(t.Text, t.TextSize, t.TextStyle, -1); s != nil {
			g := typeset.NewGlyphs()
			_, base := kit.MeasureText("x", t.TextSize, t.TextStyle)
			g.Show(s, t.Color, x, y+base, scale)
			r.objects = append(r.objects, g.Raster)
		} else {
			r.objects = append(r.objects, t)
		}
		if last {
			break
		}
		x += size.Width
		from = to
	}
	canvas.Refresh(r.l)
}

// cut truncates a run to width and adds an ellipsis.
func (r *highlightRenderer) cut(t *canvas.Text, width float32) string {
	runes := []rune(t.Text)
	short := func(n int) string { return string(runes[:n]) + "…" }
	over := sort.Search(len(runes), func(n int) bool { // the first prefix that is too wide
		size, _ := kit.MeasureText(short(n+1), t.TextSize, t.TextStyle)
		return size.Width > width
	})
	return short(over)
}

func (r *highlightRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *highlightRenderer) Destroy()                     {}
