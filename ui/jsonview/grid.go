package jsonview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view"
)

const (
	gridRowHeight = 28
	gridMost      = 12 * gridRowHeight
	gridPad       = 12 // on either side of a cell
)

// NewGrid returns a table whose column names stay visible while its rows scroll.
func NewGrid(g *view.Grid) (whole *fyne.Container, rows *kit.List) {
	l := &gridLayout{columns: g.Columns}
	for _, c := range g.Columns {
		cell := newGridCell()
		cell.Text, cell.Right = c.Longest, c.Right
		head := kit.NewLabel("", 13, kit.ColorText).Strong()
		l.natural = append(l.natural, max(cell.Measure(c.Longest).Width*1.05+2, head.Measure(c.Name).Width)+2*gridPad)
	}
	names := make([]*kit.Label, len(g.Columns))
	for i, c := range g.Columns {
		names[i] = kit.NewLabel(c.Name, 12, kit.ColorMuted).Strong().Elided()
		names[i].Right = c.Right
	}
	head := newGridRow(l, names, false)
	rows = kit.NewList(gridRowHeight, gridMost, func() fyne.CanvasObject {
		cells := make([]*kit.Label, len(g.Columns))
		for i, c := range g.Columns {
			cells[i] = newGridCell()
			cells[i].Right = c.Right
		}
		return newGridRow(l, cells, true)
	}, func(i int, o fyne.CanvasObject) {
		for c, cell := range o.(*gridRow).cells {
			v := g.Rows[i][c]
			cell.Text, cell.Color = view.Shown(v.Text), kit.ColorText
			if v.Kind == view.NullNode || v.Kind == view.BoolNode {
				cell.Color = kit.ColorMuted
			}
		}
		o.(*gridRow).line.Hidden = i == len(g.Rows)-1
		o.Refresh()
	})
	rows.Set(len(g.Rows))
	return kit.Vertical(0, kit.Sized(1, 30, head), kit.NewLine(), rows.Root), rows
}

func newGridCell() *kit.Label { return kit.NewLabel("", 13, kit.ColorText).Elided() }

// gridLayout gives each column its natural width, or a proportional share if the
// table is too narrow.
type gridLayout struct {
	columns []view.Column
	natural []float32
}

func (l *gridLayout) widths(width float32) []float32 {
	total := float32(0)
	for _, w := range l.natural {
		total += w
	}
	out := make([]float32, len(l.natural))
	for i, w := range l.natural {
		if total > width {
			w *= width / total
		}
		out[i] = w
	}
	return out
}

// A gridRow shows the cells of one row, with a line below them.
type gridRow struct {
	widget.BaseWidget
	layout *gridLayout
	cells  []*kit.Label
	line   *kit.Panel
}

func newGridRow(l *gridLayout, cells []*kit.Label, lined bool) *gridRow {
	r := &gridRow{layout: l, cells: cells, line: kit.NewPanel(kit.ColorBorder, kit.ColorNone, 0)}
	r.line.Hidden = !lined
	r.ExtendBaseWidget(r)
	return r
}

func (r *gridRow) CreateRenderer() fyne.WidgetRenderer { return &gridRowRenderer{r} }

type gridRowRenderer struct{ r *gridRow }

func (r *gridRowRenderer) Layout(size fyne.Size) {
	x := float32(0)
	for i, w := range r.r.layout.widths(size.Width - kit.ListBarWidth) {
		kit.Place(r.r.cells[i], x+gridPad, 0, max(w-2*gridPad, 0), size.Height)
		x += w
	}
	kit.Place(r.r.line, 0, size.Height-1, size.Width, 1)
}

func (r *gridRowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, gridRowHeight) }

func (r *gridRowRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, c := range r.r.cells {
		c.Refresh()
	}
}

func (r *gridRowRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.r.line}
	for _, c := range r.r.cells {
		out = append(out, c)
	}
	return out
}

func (r *gridRowRenderer) Destroy() {}
