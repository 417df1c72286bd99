package ui

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

// A viewerRow is one row of a viewer: the number of the line that begins in it,
// and its text, with what was found in it marked.
type viewerRow struct {
	widget.BaseWidget
	viewer *viewer
	index  int
}

func newViewerRow(v *viewer) *viewerRow {
	r := &viewerRow{viewer: v}
	r.ExtendBaseWidget(r)
	return r
}

func (r *viewerRow) show(i int) {
	r.index = i
	r.Refresh()
}

func (r *viewerRow) CreateRenderer() fyne.WidgetRenderer {
	out := &viewerRowRenderer{r: r, number: canvas.NewText("", nil), text: canvas.NewText("", nil)}
	for _, t := range []*canvas.Text{out.number, out.text} {
		t.TextStyle.Monospace = true
	}
	out.number.TextSize, out.text.TextSize = 12, 13
	out.number.Alignment = fyne.TextAlignTrailing
	out.Refresh()
	return out
}

type viewerRowRenderer struct {
	r            *viewerRow
	number, text *canvas.Text
	marks        []*kit.Panel
}

func (r *viewerRowRenderer) Layout(size fyne.Size) {
	gutter := r.r.viewer.gutter()
	kit.Place(r.number, 0, 0, gutter-16, size.Height)
	kit.Place(r.text, gutter, 0, max(size.Width-gutter, 0), size.Height)
}

func (r *viewerRowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, viewerLine) }

func (r *viewerRowRenderer) Refresh() {
	v := r.r.viewer
	r.number.Text, r.text.Text = "", ""
	r.marks = nil
	if v.lines != nil && r.r.index < v.lines.Len() {
		start, end := v.lines.Span(r.r.index)
		r.text.Text = view.Shown(v.lines.Text[start:end])
		if n := v.lines.Number(r.r.index); n > 0 {
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

// mark puts a ground under what was found in the row. A match may begin or end
// in another.
func (r *viewerRowRenderer) mark(start, end int) {
	v := r.r.viewer
	first := sort.Search(len(v.matches), func(i int) bool { return v.matches[i].End > start })
	for i := first; i < len(v.matches) && v.matches[i].Start < end; i++ {
		m := v.matches[i]
		from, to := max(m.Start, start), min(m.End, end)
		left := wide(v.lines.Text[start:from])
		p := kit.NewPanel(theme.ColorNameSelection, kit.ColorNone, 3)
		if i == v.match {
			p.Stroke, p.Bold = kit.ColorAccent, true
		}
		kit.Place(p, v.gutter()+left-1, 1, wide(v.lines.Text[start:to])-left+2, viewerLine-2)
		r.marks = append(r.marks, p)
	}
}

// wide is how much room the beginning of a row takes.
func wide(text string) float32 {
	if text == "" {
		return 0
	}
	box, _ := kit.MeasureText(view.Shown(strings.TrimSuffix(text, "\r")), 13, fyne.TextStyle{Monospace: true})
	return box.Width
}

func (r *viewerRowRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, 0, len(r.marks)+2)
	for _, m := range r.marks {
		out = append(out, m)
	}
	return append(out, r.number, r.text)
}

func (r *viewerRowRenderer) Destroy() {}
