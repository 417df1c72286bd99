package viewer

import (
	"sort"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view"
)

// A row is one row of a viewer. It shows its text with the matches, and the number of the line if
// a line begins in it.
type row struct {
	widget.BaseWidget
	viewer *Viewer
	index  int
}

func newRow(v *Viewer) *row {
	r := &row{viewer: v}
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) show(i int) {
	r.index = i
	r.Refresh()
}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	out := &rowRenderer{r: r, number: canvas.NewText("", nil), text: canvas.NewText("", nil)}
	for _, t := range []*canvas.Text{out.number, out.text} {
		t.TextStyle.Monospace = true
	}
	out.number.TextSize, out.text.TextSize = 12, 13
	out.number.Alignment = fyne.TextAlignTrailing
	out.Refresh()
	return out
}

type rowRenderer struct {
	r            *row
	number, text *canvas.Text
	marks        []*kit.Panel
}

func (r *rowRenderer) Layout(size fyne.Size) {
	gutter := r.r.viewer.gutter()
	kit.Place(r.number, 0, 0, gutter-16, size.Height)
	kit.Place(r.text, gutter, 0, max(size.Width-gutter, 0), size.Height)
}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, lineHeight) }

func (r *rowRenderer) Refresh() {
	v := r.r.viewer
	r.number.Text, r.text.Text = "", ""
	r.marks = nil
	if v.Lines != nil && r.r.index < v.Lines.Len() {
		start, end := v.Lines.Span(r.r.index)
		r.text.Text = view.SingleLine(v.Lines.Text[start:end])
		if n := v.Lines.Number(r.r.index); n > 0 {
			r.number.Text = strconv.Itoa(n)
		}
		r.mark(start, end)
	}
	r.number.Color, r.text.Color = theme.Color(kit.ColorFaint), theme.Color(kit.ColorText)
	r.number.FontSource, r.text.FontSource = kit.FaceOf(r.number.Text, r.number.TextStyle), kit.FaceOf(r.text.Text, r.text.TextStyle)
	r.Layout(r.r.Size())
	r.number.Refresh()
	r.text.Refresh()
	canvas.Refresh(r.r)
}

// mark draws a background for each match in the row. A match may begin or end in
// another row.
func (r *rowRenderer) mark(start, end int) {
	v := r.r.viewer
	first := sort.Search(len(v.found.matches), func(i int) bool { return v.found.matches[i].End > start })
	for i := first; i < len(v.found.matches) && v.found.matches[i].Start < end; i++ {
		m := v.found.matches[i]
		from, to := max(m.Start, start), min(m.End, end)
		left := textWidth(v.Lines.Text[start:from])
		p := kit.NewPanel(theme.ColorNameSelection, kit.ColorNone, 3)
		if i == v.found.at {
			p.Stroke, p.Bold = kit.ColorAccent, true
		}
		kit.Place(p, v.gutter()+left-1, 1, textWidth(v.Lines.Text[start:to])-left+2, lineHeight-2)
		r.marks = append(r.marks, p)
	}
}

// textWidth returns the width of text, which is the beginning of a row.
func textWidth(text string) float32 {
	if text == "" {
		return 0
	}
	box, _ := kit.MeasureText(view.SingleLine(strings.TrimSuffix(text, "\r")), 13, fyne.TextStyle{Monospace: true})
	return box.Width
}

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, 0, len(r.marks)+2)
	for _, m := range r.marks {
		out = append(out, m)
	}
	return append(out, r.number, r.text)
}

func (r *rowRenderer) Destroy() {}
