package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view"
)

const (
	treeIndent = 16
	treeEdge   = 10 // left of the outermost chevrons
	treeButton = 26 // each of the two that copy
)

// A treeRow is one row of a tree. It takes presses for all that is drawn in it:
// a button of its own would take the pointer from it, and so vanish under it.
type treeRow struct {
	widget.BaseWidget
	tree    *tree
	index   int
	hovered bool

	ground      *kit.Panel
	chevron     *kit.Icon
	name, value *kit.Label
	copy, path  *kit.Icon
}

func newTreeRow(t *tree) *treeRow {
	r := &treeRow{
		tree:    t,
		ground:  kit.NewPanel(kit.ColorNone, kit.ColorNone, 5),
		chevron: kit.NewIcon("chevron-right", 12, kit.ColorFaint),
		name:    kit.NewLabel("", 12, kit.ColorMuted).Mono().Elided(),
		value:   kit.NewLabel("", 12, kit.ColorText).Mono().Elided(),
		copy:    kit.NewIcon("copy", 14, kit.ColorMuted),
		path:    kit.NewIcon("chain", 14, kit.ColorMuted),
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *treeRow) row() view.Row { return r.tree.model.Rows[r.index] }

func (r *treeRow) show(i int) {
	r.index = i
	row := r.row()
	r.chevron.Hidden = !row.Nested()
	mark := "chevron-right"
	if row.Open {
		mark = "chevron-down"
	}
	r.chevron.Set(mark, kit.ColorFaint)
	color := nodeColor(row.Kind)
	if row.Nested() {
		color = kit.ColorFaint
	}
	r.value.Color = color
	if row.Index >= 0 {
		r.name.Color = kit.ColorFaint
	} else {
		r.name.Color = kit.ColorMuted
	}
	r.dress()
	r.Refresh()
}

// nodeColor tells the kinds of values apart.
func nodeColor(k view.NodeKind) fyne.ThemeColorName {
	switch k {
	case view.StringNode:
		return kit.ColorGood
	case view.NumberNode:
		return kit.ColorWarn
	case view.BoolNode, view.NullNode:
		return kit.ColorAccent
	}
	return kit.ColorFaint
}

// dress shows whether the pointer or the focus is there.
func (r *treeRow) dress() {
	fill := kit.ColorNone
	switch {
	case r.tree.focused && r.tree.selected == r.index:
		fill = kit.ColorSelected
	case r.hovered:
		fill = theme.ColorNameHover
	}
	r.ground.Paint(fill, kit.ColorNone)
	r.copy.Hidden, r.path.Hidden = fill == kit.ColorNone, fill == kit.ColorNone
}

func (r *treeRow) Tapped(e *fyne.PointEvent) {
	width := r.Size().Width - kit.ListBarWidth
	switch {
	case e.Position.X > width-treeButton:
		r.tree.copyPath(r.index)
	case e.Position.X > width-2*treeButton:
		r.tree.copyValue(r.index)
	case r.row().Nested():
		r.tree.toggle(r.index)
	default:
		r.tree.selected = r.index
		kit.Focus(r.tree.List)
	}
}

func (r *treeRow) TappedSecondary(e *fyne.PointEvent) {
	i := r.index
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy value", func() { r.tree.copyValue(i) }),
		fyne.NewMenuItem("Copy path", func() { r.tree.copyPath(i) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Expand all", r.tree.openAll),
		fyne.NewMenuItem("Fold all", r.tree.foldAll),
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, e.AbsolutePosition)
	}
}

func (r *treeRow) MouseIn(*desktop.MouseEvent)    { r.hover(true) }
func (r *treeRow) MouseMoved(*desktop.MouseEvent) {}
func (r *treeRow) MouseOut()                      { r.hover(false) }

func (r *treeRow) hover(on bool) {
	r.hovered = on
	r.dress()
	r.Refresh()
}

func (r *treeRow) Cursor() desktop.Cursor {
	if r.row().Nested() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (r *treeRow) CreateRenderer() fyne.WidgetRenderer { return &treeRowRenderer{r} }

type treeRowRenderer struct{ r *treeRow }

func (r *treeRowRenderer) Layout(size fyne.Size) {
	o := r.r
	if o.index >= len(o.tree.model.Rows) {
		return
	}
	row := o.row()
	kit.Place(o.ground, 5, 0, max(size.Width-5-kit.ListBarWidth, 0), size.Height)
	x := treeEdge + float32(min(row.Depth, 20))*treeIndent
	kit.Place(o.chevron, x, 0, 12, size.Height)
	x += 18
	if o.tree.flat {
		x = 14
	}
	end := size.Width - kit.ListBarWidth
	kit.Place(o.path, end-treeButton, 0, treeButton, size.Height)
	kit.Place(o.copy, end-2*treeButton, 0, treeButton, size.Height)
	if !o.copy.Hidden {
		end -= 2 * treeButton
	}
	room := max(end-x, 0)
	o.name.Text = short(row.Label(), room*0.6)
	width := min(o.name.Measure(o.name.Text).Width, room*0.6)
	kit.Place(o.name, x, 0, width, size.Height)
	if !row.Nested() {
		width = max(width, o.name.Measure(strings.Repeat("0", row.Align)).Width)
	}
	x += width + 14
	o.value.Text = short(row.Text(), end-x)
	kit.Place(o.value, x, 0, max(end-x, 0), size.Height)
}

// monoWidth is a little less than the narrowest character of 12 points is wide.
const monoWidth = 7

// short cuts off what can't be seen anyway, before anyone measures a megabyte.
func short(text string, width float32) string {
	most := int(max(width, 0)/monoWidth) + 2
	if len(text) <= most {
		return view.Shown(text)
	}
	n := 0
	for at := range text {
		if n++; n > most {
			return view.Shown(text[:at]) + "…"
		}
	}
	return view.Shown(text)
}

func (r *treeRowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, treeRowHeight) }

func (r *treeRowRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *treeRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.ground, r.r.chevron, r.r.name, r.r.value, r.r.copy, r.r.path}
}

func (r *treeRowRenderer) Destroy() {}
