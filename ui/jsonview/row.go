package jsonview

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view"
	"goated/ui/virtual"
)

const (
	indent      = 16
	edge        = 10 // the margin left of the outermost chevrons
	buttonWidth = 26 // the width of each of the two copy buttons
)

// A Row is one row of a tree. It also handles presses on its copy icons. A button within the row
// would end the row's hover, and thereby hide itself.
type Row struct {
	widget.BaseWidget
	Tree    *Tree
	Index   int
	hovered bool

	ground      *kit.Panel
	chevron     *kit.Icon
	name, value *kit.Label
	copy, path  *kit.Icon
}

func newRow(t *Tree) *Row {
	r := &Row{
		Tree:    t,
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

func (r *Row) row() view.Row { return r.Tree.Model.Rows[r.Index] }

func (r *Row) show(i int) {
	r.Index = i
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
	r.updateHover()
	r.Refresh()
}

// nodeColor returns the colour of a kind of value.
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

// updateHover updates the background and the copy icons for hover and selection.
func (r *Row) updateHover() {
	fill := kit.ColorNone
	switch {
	case r.Tree.found == r.Index:
		fill = kit.ColorHere
	case r.Tree.focused && r.Tree.selected == r.Index:
		fill = kit.ColorSelected
	case r.hovered:
		fill = theme.ColorNameHover
	}
	r.ground.Paint(fill, kit.ColorNone)
	r.copy.Hidden, r.path.Hidden = fill == kit.ColorNone, fill == kit.ColorNone
}

func (r *Row) Tapped(e *fyne.PointEvent) {
	width := r.Size().Width - virtual.ListBarWidth
	switch {
	case e.Position.X > width-buttonWidth:
		r.Tree.copyPath(r.Index)
	case e.Position.X > width-2*buttonWidth:
		r.Tree.copyValue(r.Index)
	case r.row().Nested():
		r.Tree.Toggle(r.Index)
	default:
		r.Tree.selected = r.Index
		kit.Focus(r.Tree.List)
	}
}

func (r *Row) TappedSecondary(e *fyne.PointEvent) {
	i := r.Index
	popup.Show(kit.CanvasOf(r), e.AbsolutePosition,
		popup.Item{Text: "Copy value", Icon: "copy", Do: func() { r.Tree.copyValue(i) }},
		popup.Item{Text: "Copy path", Do: func() { r.Tree.copyPath(i) }},
		popup.Item{},
		popup.Item{Text: "Expand all", Do: r.Tree.OpenAll},
		popup.Item{Text: "Fold all", Do: r.Tree.FoldAll},
	)
}

func (r *Row) MouseIn(*desktop.MouseEvent)    { r.hover(true) }
func (r *Row) MouseMoved(*desktop.MouseEvent) {}
func (r *Row) MouseOut()                      { r.hover(false) }

func (r *Row) hover(on bool) {
	r.hovered = on
	r.updateHover()
	r.Refresh()
}

func (r *Row) Cursor() desktop.Cursor {
	if r.row().Nested() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (r *Row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ r *Row }

func (r *rowRenderer) Layout(size fyne.Size) {
	o := r.r
	if o.Index >= len(o.Tree.Model.Rows) {
		return
	}
	row := o.row()
	kit.Place(o.ground, 5, 0, max(size.Width-5-virtual.ListBarWidth, 0), size.Height)
	x := edge + float32(min(row.Depth, 20))*indent
	kit.Place(o.chevron, x, 0, 12, size.Height)
	x += 18
	if o.Tree.flat {
		x = 14
	}
	end := size.Width - virtual.ListBarWidth
	kit.Place(o.path, end-buttonWidth, 0, buttonWidth, size.Height)
	kit.Place(o.copy, end-2*buttonWidth, 0, buttonWidth, size.Height)
	if !o.copy.Hidden {
		end -= 2 * buttonWidth
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

// monoWidth is a lower bound for the width of a character at size 12.
const monoWidth = 7

// short truncates text to an upper bound of the visible characters, so that nothing measures a
// megabyte.
func short(text string, width float32) string {
	most := int(max(width, 0)/monoWidth) + 2
	if len(text) <= most {
		return view.SingleLine(text)
	}
	n := 0
	for at := range text {
		if n++; n > most {
			return view.SingleLine(text[:at]) + "…"
		}
	}
	return view.SingleLine(text)
}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(40, rowHeight) }

func (r *rowRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.ground, r.r.chevron, r.r.name, r.r.value, r.r.copy, r.r.path}
}

func (r *rowRenderer) Destroy() {}
