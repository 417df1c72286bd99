package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// A VarList is a virtual list of rows of several kinds and heights. It makes
// objects only for the visible rows and reuses them while the user scrolls.
type VarList struct {
	*Scroller
	column  *fyne.Container   // contains the objects of the visible rows
	repaint *canvas.Rectangle // its refresh makes the window repaint
	Rows    []VarRow
	tops    []float32         // the top of each row, and the bottom of the last
	Bound   map[int]varSlot   // by row
	Spare   map[int][]varSlot // by kind

	Make func(kind int) (drawn fyne.CanvasObject, row any)
	Bind func(r VarRow, row any) // shows r in row, which may show it already
	Free func(row any)           // runs when a row leaves the viewport; may be nil
}

// A VarRow is one row: a kind, the index of its item among the items of that kind,
// and a height.
type VarRow struct {
	Kind, At int
	Height   float32
}

// A varSlot is a reusable object for rows of one kind.
type varSlot struct {
	kind   int
	object fyne.CanvasObject
	Row    any
}

// VarListBar is the width of the scroll bar beside the rows.
const VarListBar = 8

// varListOver is the overscan: rows exist this far outside the viewport, so that
// Tab finds the next ones.
const varListOver = 80

func NewVarList() *VarList {
	k := &VarList{repaint: canvas.NewRectangle(color.Transparent), Bound: map[int]varSlot{}, Spare: map[int][]varSlot{}}
	k.column = container.New(varListLayout{k}, k.repaint)
	k.Scroller = NewScroller(k.column)
	k.Scroll.OnScrolled = func(fyne.Position) { k.Arrange(false) }
	return k
}

// varListLayout is the layout of the column: the list places its rows itself.
type varListLayout struct{ k *VarList }

func (l varListLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.k.Arrange(false) }

func (l varListLayout) HeightFor([]fyne.CanvasObject, float32) float32 { return l.k.Tall() }

func (l varListLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.k.Tall()) }

func (k *VarList) Tall() float32 {
	if len(k.tops) == 0 {
		return 0
	}
	return k.tops[len(k.tops)-1]
}

// Show replaces the rows and redraws the visible ones.
func (k *VarList) Show(rows []VarRow) {
	k.Rows, k.tops = rows, append(k.tops[:0], 0)
	y := float32(0)
	for _, r := range rows {
		y += r.Height
		k.tops = append(k.tops, y)
	}
	for i, s := range k.Bound {
		if i >= len(rows) || rows[i].Kind != s.kind {
			k.release(i)
		}
	}
	if k.Width == 0 || k.Inner.Size().Height != max(y, k.Scroll.Size().Height) {
		k.refit()
	}
	k.Arrange(true)
}

// Row returns the index of the row at y, or len(Rows) below the last row.
func (k *VarList) Row(y float32) int {
	lo, hi := 0, len(k.Rows)
	for lo < hi {
		if mid := (lo + hi) / 2; k.tops[mid+1] <= y {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Arrange makes and places the visible rows. If rebind is set, it also binds the
// rows that exist already.
func (k *VarList) Arrange(rebind bool) {
	if k.Width == 0 || len(k.tops) == 0 {
		return
	}
	top, high := k.Scroll.Offset.Y, k.Scroll.Size().Height
	first, last := k.Row(top-varListOver), k.Row(top+high+varListOver)
	for i := range k.Bound {
		if i < first || i > last {
			k.release(i)
		}
	}
	objects := []fyne.CanvasObject{k.repaint}
	for i := first; i <= last && i < len(k.Rows); i++ {
		s, have := k.Bound[i]
		if !have {
			s = k.slot(k.Rows[i].Kind)
			k.Bound[i] = s
		}
		if rebind || !have {
			k.Bind(k.Rows[i], s.Row)
		}
		if pos, size := fyne.NewPos(0, k.tops[i]), fyne.NewSize(k.Width-VarListBar, k.Rows[i].Height); s.object.Position() != pos || s.object.Size() != size {
			Place(s.object, pos.X, pos.Y, size.Width, size.Height)
		}
		objects = append(objects, s.object)
	}
	if !SameObjects(objects, k.column.Objects) {
		k.column.Objects = objects
		canvas.Refresh(k.repaint)
	}
}

func (k *VarList) slot(kind int) varSlot {
	if n := len(k.Spare[kind]); n > 0 {
		s := k.Spare[kind][n-1]
		k.Spare[kind] = k.Spare[kind][:n-1]
		return s
	}
	object, row := k.Make(kind)
	return varSlot{kind, object, row}
}

func (k *VarList) release(i int) {
	s := k.Bound[i]
	delete(k.Bound, i)
	k.Spare[s.kind] = append(k.Spare[s.kind], s)
	if k.Free != nil {
		k.Free(s.Row)
	}
}

// Reveal scrolls a row and the one before it into view.
func (k *VarList) Reveal(i int) {
	if i < 0 || i >= len(k.Rows) || k.Width == 0 {
		return
	}
	top, end, high := k.tops[max(i-1, 0)], k.tops[i+1], k.Scroll.Size().Height
	switch y := k.Scroll.Offset.Y; {
	case top < y:
		k.GoTo(top)
	case end > y+high:
		k.GoTo(end - high)
	}
}

// SameObjects reports whether two lists hold the same objects in the same order.
func SameObjects(a, b []fyne.CanvasObject) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// GoTo scrolls to y and arranges the rows. Fyne calls OnScrolled only after user
// actions.
func (k *VarList) GoTo(y float32) {
	k.Scroll.ScrollToOffset(fyne.NewPos(0, max(y, 0)))
	k.Arrange(false)
}
