package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view"
)

func newCell() *kit.Label { return kit.NewLabel("", 13, kit.ColorText).Elided() }

// A row shows one object, with a line below it. A click selects it and focuses the table.
type row struct {
	widget.BaseWidget
	t       *Table
	at      int // the index in the shown order
	hovered bool
	ground  *kit.Panel
	cells   []*kit.Label
	line    *kit.Panel
}

func newRow(t *Table) *row {
	r := &row{t: t, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 0), line: kit.NewPanel(kit.ColorBorder, kit.ColorNone, 0)}
	for _, c := range t.grid.Columns {
		cell := newCell()
		cell.Right = c.Right
		r.cells = append(r.cells, cell)
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) show(i int) {
	r.at = i
	for c, cell := range r.cells {
		v := r.t.grid.Rows[r.t.order[i]][c]
		cell.Text, cell.Color = view.SingleLine(v.Text[:min(len(v.Text), 400)]), kit.ColorText
		if v.Kind == view.NullNode || v.Kind == view.BoolNode || v.Kind == view.ArrayNode || v.Kind == view.ObjectNode {
			cell.Color = kit.ColorMuted
		}
	}
	r.line.Hidden = i == len(r.t.order)-1
	r.paint()
	r.Refresh()
}

func (r *row) paint() {
	switch {
	case r.at < len(r.t.order) && r.t.order[r.at] == r.t.found:
		r.ground.Paint(kit.ColorHere, kit.ColorNone)
	case r.at < len(r.t.order) && r.t.order[r.at] == r.t.selected:
		r.ground.Paint(kit.ColorSelected, kit.ColorNone)
	case r.hovered:
		r.ground.Paint(theme.ColorNameHover, kit.ColorNone)
	default:
		r.ground.Paint(kit.ColorNone, kit.ColorNone)
	}
}

func (r *row) Tapped(*fyne.PointEvent) {
	kit.Focus(r.t.list)
	r.t.choose(r.at)
}

func (r *row) MouseIn(*desktop.MouseEvent)    { r.hovered = true; r.paint() }
func (r *row) MouseMoved(*desktop.MouseEvent) {}
func (r *row) MouseOut()                      { r.hovered = false; r.paint() }

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ r *row }

func (r *rowRenderer) Layout(size fyne.Size) {
	kit.Place(r.r.ground, 0, 0, size.Width, size.Height)
	x := -r.r.t.x
	for i, w := range r.r.t.widths(size.Width) {
		kit.Place(r.r.cells[i], x+pad, 0, w-2*pad, size.Height)
		x += w
	}
	kit.Place(r.r.line, 0, size.Height-1, size.Width, 1)
}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, rowHeight) }

func (r *rowRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, c := range r.r.cells {
		c.Refresh()
	}
}

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.r.ground, r.r.line}
	for _, c := range r.r.cells {
		out = append(out, c)
	}
	return out
}

func (r *rowRenderer) Destroy() {}
