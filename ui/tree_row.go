package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

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

	ground      *panel
	chevron     *glyph
	name, value *label
	copy, path  *glyph
}

func newTreeRow(t *tree) *treeRow {
	r := &treeRow{
		tree:    t,
		ground:  newPanel(colorNone, colorNone, 5),
		chevron: newGlyph("chevron-right", 12, colorFaint),
		name:    newLabel("", 12, colorMuted).mono().elided(),
		value:   newLabel("", 12, colorText).mono().elided(),
		copy:    newGlyph("copy", 14, colorMuted),
		path:    newGlyph("chain", 14, colorMuted),
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
	r.chevron.set(mark, colorFaint)
	color := nodeColor(row.Kind)
	if row.Nested() {
		color = colorFaint
	}
	r.value.color = color
	if row.Index >= 0 {
		r.name.color = colorFaint
	} else {
		r.name.color = colorMuted
	}
	r.dress()
	r.Refresh()
}

// nodeColor tells the kinds of values apart.
func nodeColor(k view.NodeKind) fyne.ThemeColorName {
	switch k {
	case view.StringNode:
		return colorGood
	case view.NumberNode:
		return colorWarn
	case view.BoolNode, view.NullNode:
		return colorAccent
	}
	return colorFaint
}

// dress shows whether the pointer or the focus is there.
func (r *treeRow) dress() {
	fill := colorNone
	switch {
	case r.tree.focused && r.tree.selected == r.index:
		fill = colorSelected
	case r.hovered:
		fill = theme.ColorNameHover
	}
	r.ground.paint(fill, colorNone)
	r.copy.Hidden, r.path.Hidden = fill == colorNone, fill == colorNone
}

func (r *treeRow) Tapped(e *fyne.PointEvent) {
	width := r.Size().Width - rollBarWidth
	switch {
	case e.Position.X > width-treeButton:
		r.tree.copyPath(r.index)
	case e.Position.X > width-2*treeButton:
		r.tree.copyValue(r.index)
	case r.row().Nested():
		r.tree.toggle(r.index)
	default:
		r.tree.selected = r.index
		focus(r.tree.roll)
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
	place(o.ground, 5, 0, max(size.Width-5-rollBarWidth, 0), size.Height)
	x := treeEdge + float32(min(row.Depth, 20))*treeIndent
	place(o.chevron, x, 0, 12, size.Height)
	x += 18
	if o.tree.flat {
		x = 14
	}
	end := size.Width - rollBarWidth
	place(o.path, end-treeButton, 0, treeButton, size.Height)
	place(o.copy, end-2*treeButton, 0, treeButton, size.Height)
	if !o.copy.Hidden {
		end -= 2 * treeButton
	}
	room := max(end-x, 0)
	o.name.text = short(row.Label(), room*0.6)
	width := min(o.name.measure(o.name.text).Width, room*0.6)
	place(o.name, x, 0, width, size.Height)
	if !row.Nested() {
		width = max(width, o.name.measure(strings.Repeat("0", row.Align)).Width)
	}
	x += width + 14
	o.value.text = short(row.Text(), end-x)
	place(o.value, x, 0, max(end-x, 0), size.Height)
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
