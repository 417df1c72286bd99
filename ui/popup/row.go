package popup

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A row draws an item.
type row struct {
	widget.BaseWidget
	list   *list
	index  int
	iconed bool // the menu has a column of icons
}

func newRow(l *list, i int, item Item, iconed bool) *row {
	r := &row{list: l, index: i, iconed: iconed}
	r.ExtendBaseWidget(r)
	return r
}

// Disabled reports whether the item is disabled.
func (r *row) Disabled() bool { return r.list.items[r.index].Disabled }

func (r *row) Tapped(*fyne.PointEvent)        { r.list.do(r.index) }
func (r *row) MouseMoved(*desktop.MouseEvent) {}
func (r *row) MouseIn(*desktop.MouseEvent) {
	if r.list.usable(r.index) {
		r.list.choose(r.index)
	}
}

func (r *row) MouseOut() {
	if r.list.chosen == r.index {
		r.list.choose(-1)
	}
}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	item := r.list.items[r.index]
	if item.Text == "" {
		line := kit.NewLine()
		box := container.New(kit.Margin{Top: gapHeight / 2, Right: 8, Bottom: gapHeight / 2, Left: 8}, line)
		return &rowRenderer{r: r, inner: box, height: gapHeight}
	}
	ink, faint := kit.ColorText, kit.ColorMuted
	switch {
	case item.Disabled:
		ink, faint = kit.ColorFaint, kit.ColorFaint
	case item.Danger:
		ink, faint = kit.ColorBad, kit.ColorBad
	}
	if item.Detail != "" {
		return r.withDetail(item, ink, faint)
	}
	name := kit.NewLabel(item.Text, 13, ink).Elided()
	wide := name.Measure(item.Text).Width
	parts := []fyne.CanvasObject{}
	if r.iconed {
		parts = append(parts, kit.Sized(16, rowHeight, item.mark(faint)))
		wide += 16 + 10
	}
	parts = append(parts, name)
	if item.Keys.Key != "" {
		keys := kit.NewLabel(item.Keys.String(), 11, kit.ColorFaint)
		parts = append(parts, keys)
		wide += keys.MinSize().Width + 24
	}
	inner := kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 10}, kit.Horizontal(10, name, parts...))
	return &rowRenderer{r: r, inner: inner, height: rowHeight, width: wide + 20, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 8)}
}

// mark draws the icon of an item.
func (i Item) mark(ink fyne.ThemeColorName) fyne.CanvasObject {
	switch {
	case i.Checked:
		return kit.NewIcon("check", 16, kit.ColorAccent)
	case i.Icon != "":
		return kit.NewIcon(i.Icon, 16, ink)
	}
	return kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)
}

// withDetail draws an item with a second line.
func (r *row) withDetail(item Item, ink, faint fyne.ThemeColorName) *rowRenderer {
	name := kit.NewLabel(item.Text, 13, ink).Medium().Elided()
	first := kit.Horizontal(10, name, name, kit.NewLabel(item.Note, 12, kit.ColorFaint))
	words := kit.Vertical(1, kit.Sized(1, 20, first), kit.Sized(1, 16, kit.NewLabel(item.Detail, 12, kit.ColorMuted).Elided()))
	inner := kit.Inset(kit.Margin{Top: 6, Right: 10, Bottom: 6, Left: 10}, kit.Horizontal(10, words, kit.Sized(16, 36, item.mark(faint)), words))
	return &rowRenderer{r: r, inner: inner, height: detailHeight, width: detailWidth - 2*padding, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 8)}
}

type rowRenderer struct {
	r             *row
	inner         *fyne.Container
	ground        *kit.Panel // nil for a separator
	width, height float32
}

func (d *rowRenderer) Layout(size fyne.Size) {
	if d.ground != nil {
		d.ground.Resize(size)
	}
	d.inner.Resize(size)
}

func (d *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(d.width, d.height) }

func (d *rowRenderer) Refresh() {
	if d.ground == nil {
		return
	}
	fill := kit.ColorNone
	if d.r.list.chosen == d.r.index {
		fill = theme.ColorNameHover
	}
	d.ground.Paint(fill, kit.ColorNone)
}

func (d *rowRenderer) Objects() []fyne.CanvasObject {
	if d.ground == nil {
		return []fyne.CanvasObject{d.inner}
	}
	return []fyne.CanvasObject{d.ground, d.inner}
}

func (d *rowRenderer) Destroy() {}
