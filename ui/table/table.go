// Package table draws a list of objects as a table. The user can sort it by a column, find rows,
// scroll it horizontally and copy rows.
//
// It owns the order of the rows, the selected row and the scroll offsets. Package view creates
// the grid and sorts it. Package table must not depend on the source of the list.
package table

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

const (
	rowHeight  = 32
	headHeight = 32
	bodyHeight = 212 // the maximal height of the rows; beyond it, they scroll
	pad        = 12  // on either side of a cell
	widest     = 360 // the maximal width of a column; a longer text ends in an ellipsis
	barHeight  = 10  // the height of the region that the user can drag
)

// A sorting is a column and a direction.
type sorting struct {
	column int // -1: the original order of the list
	down   bool
}

// rows are indexes of special rows of the grid; -1: none.
type rows struct {
	found    int // the marked row
	selected int
}

// A Table shows a grid. It belongs to the UI goroutine.
type Table struct {
	Root *fyne.Container
	grid *view.Grid
	list *virtual.List
	head *head
	bar  *bar

	natural []float32 // the widths of the columns
	x       float32   // the horizontal scroll offset
	words   string    // the words that the shown rows contain
	sort    sorting
	order   []int // the indexes of the shown rows
	rows
	active bool // the wheel scrolls the table, because the user clicked in it

	OnCopy func(text string)
	// OnPast receives the wheel events that the table does not handle.
	OnPast func(*fyne.ScrollEvent)
	// OnResize runs after the number of rows, and thus the height, changed.
	OnResize func()
}

// New returns a table of all rows in the original order.
func New(g *view.Grid) *Table {
	t := &Table{grid: g, sort: sorting{column: -1}, rows: rows{-1, -1}}
	for _, c := range g.Columns {
		cell, name := newCell(), kit.NewLabel("", 12, kit.ColorText).Strong()
		wide := max(cell.Measure(view.SingleLine(c.Longest)).Width*1.05+2, name.Measure(c.Name).Width+sortWidth)
		t.natural = append(t.natural, min(wide, widest)+2*pad)
	}
	t.list = virtual.NewList(rowHeight, bodyHeight, func() fyne.CanvasObject { return newRow(t) }, func(i int, o fyne.CanvasObject) { o.(*row).show(i) })
	t.list.OnWheel = t.wheel
	t.list.OnOverscroll = t.past
	t.list.OnKey = t.key
	t.list.OnShortcut = t.shortcut
	t.list.OnFocus = func(on bool) {
		t.active = on
		t.list.Redraw()
	}
	t.head, t.bar = newHead(t), newBar(t)
	table := container.New(frame{t}, newClip(t, kit.Sized(1, headHeight, t.head), kit.NewLine(), t.list.Root, t.bar))
	t.Root = kit.Vertical(0, append(above(g), table)...)
	t.arrange()
	return t
}

// above shows the facts beside the list, for example its total.
func above(g *view.Grid) []fyne.CanvasObject {
	var facts []string
	for _, f := range g.Above {
		facts = append(facts, view.SingleLine(f.Name)+": "+view.SingleLine(f.Text))
	}
	if facts == nil {
		return nil
	}
	text := kit.NewText(strings.Join(facts, "  ·  "), 12, 18, kit.ColorMuted)
	return []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 2, Right: pad, Bottom: 6, Left: pad}, text)}
}

// Rows returns the number of shown rows.
func (t *Table) Rows() int { return len(t.order) }

// Find shows only the rows that contain words. Without words, it shows all rows.
func (t *Table) Find(words string) {
	t.words = words
	t.arrange()
}

// Sort sorts by a column. Successive calls sort in descending order, in ascending order, and then
// restore the original order.
func (t *Table) Sort(column int) {
	switch {
	case t.sort.column != column:
		t.sort = sorting{column, true}
	case t.sort.down:
		t.sort.down = false
	default:
		t.sort = sorting{column: -1}
	}
	t.arrange()
	t.head.Refresh()
}

// arrange computes the shown rows.
func (t *Table) arrange() {
	before := len(t.order)
	t.order = t.grid.Matching(t.words)
	if t.sort.column >= 0 {
		t.order = t.grid.Sorted(t.order, t.sort.column, t.sort.down)
	}
	t.list.Set(len(t.order))
	t.list.ScrollTo(0)
	if before != len(t.order) && t.OnResize != nil {
		t.OnResize()
	}
}

// total returns the width of all columns.
func (t *Table) total() (w float32) {
	for _, n := range t.natural {
		w += n
	}
	return w
}

// widths returns the column widths for a table of the given width. Each column gets at least the
// width that it needs.
func (t *Table) widths(width float32) []float32 {
	more := max(width-virtual.ListBarWidth-t.total(), 0) / float32(len(t.natural))
	out := make([]float32, len(t.natural))
	for i, w := range t.natural {
		out[i] = w + more
	}
	return out
}

// slide scrolls horizontally, and reports whether the table moved.
func (t *Table) slide(by float32) bool {
	to := max(min(t.x+by, t.total()+virtual.ListBarWidth-t.Root.Size().Width), 0)
	if to == t.x {
		return false
	}
	t.x = to
	t.head.Refresh()
	t.list.Redraw()
	t.bar.Refresh()
	return true
}

// wheel scrolls the table while it has the focus, and the page otherwise. A horizontal scroll
// always scrolls the table.
func (t *Table) wheel(e *fyne.ScrollEvent) bool {
	if e.Scrolled.DX != 0 && t.slide(-t.list.Wheel.Distance(e).DX) {
		return true
	}
	if !t.active {
		t.past(e)
		return true
	}
	return false
}

func (t *Table) past(e *fyne.ScrollEvent) {
	if t.OnPast != nil {
		t.OnPast(e)
	}
}

// choose selects the shown row i.
func (t *Table) choose(i int) {
	if i < 0 || i >= len(t.order) {
		return
	}
	t.selected = t.order[i]
	t.list.Reveal(i)
	t.list.Redraw()
}

// Mark marks a row of the grid and scrolls to it. It removes the previous mark. -1 only removes
// the mark. Mark reports whether the row is shown.
func (t *Table) Mark(row int) bool {
	t.found = row
	i := slices.Index(t.order, row)
	if i >= 0 {
		t.list.Reveal(i)
	}
	t.list.Redraw()
	return i >= 0
}

// Marked returns the list that contains the mark, and the distance of the mark from the top of
// the list.
func (t *Table) Marked() (list fyne.CanvasObject, down float32) {
	return t.list.Root, t.list.RowTop(slices.Index(t.order, t.found))
}

func (t *Table) key(e *fyne.KeyEvent) bool {
	at := slices.Index(t.order, t.selected)
	switch e.Name {
	case fyne.KeyDown:
		t.choose(at + 1)
	case fyne.KeyUp:
		t.choose(max(at-1, 0))
	case fyne.KeyHome:
		t.choose(0)
	case fyne.KeyEnd:
		t.choose(len(t.order) - 1)
	case fyne.KeyLeft:
		t.slide(-80)
	case fyne.KeyRight:
		t.slide(80)
	default:
		return false
	}
	return true
}

// shortcut copies the selected row as JSON on the copy shortcut.
func (t *Table) shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); !ok || t.selected < 0 || t.OnCopy == nil {
		return false
	}
	t.OnCopy(t.grid.JSON(t.selected))
	return true
}
