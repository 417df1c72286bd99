package virtual

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A VarList is a virtual list with rows of several kinds and heights. It creates objects only for
// the visible rows and reuses them while the user scrolls.
type VarList struct {
	*kit.Scroller
	column  *fyne.Container   // contains the objects of the visible rows
	repaint *canvas.Rectangle // refreshing it makes the window repaint
	Rows    []VarRow
	tops    []float32         // the top of each row, and the bottom of the last
	Bound   map[int]varSlot   // keyed by row
	Spare   map[int][]varSlot // keyed by kind

	Make func(kind int) (drawn fyne.CanvasObject, row any)
	Bind func(r VarRow, row any) // shows r in row, which may already show r
	Free func(row any)           // runs when a row leaves the viewport; may be nil
}

// A VarRow is one row. It has a kind, the index of its item among the items of that kind, and a
// height.
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

// varListOver is the overscan: how far outside the viewport rows exist, so that Tab can focus the
// next rows.
const varListOver = 80

// NewVarList returns an empty list. Set Make and Bind before Show.
func NewVarList() *VarList {
	k := &VarList{repaint: canvas.NewRectangle(color.Transparent), Bound: map[int]varSlot{}, Spare: map[int][]varSlot{}}
	k.column = container.New(varListLayout{k}, k.repaint)
	k.Scroller = kit.NewScroller(k.column)
	k.Scroll.OnScrolled = func(fyne.Position) { k.Arrange(false) }
	return k
}

// varListLayout is the layout of the column. The list itself places its rows.
type varListLayout struct{ k *VarList }

func (l varListLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.k.Arrange(false) }

func (l varListLayout) HeightFor([]fyne.CanvasObject, float32) float32 { return l.k.Tall() }

func (l varListLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.k.Tall()) }

// Tall returns the height of all rows.
func (l *VarList) Tall() float32 {
	if len(l.tops) == 0 {
		return 0
	}
	return l.tops[len(l.tops)-1]
}

// Show replaces the rows and redraws the visible ones.
func (l *VarList) Show(rows []VarRow) {
	l.Rows, l.tops = rows, append(l.tops[:0], 0)
	y := float32(0)
	for _, r := range rows {
		y += r.Height
		l.tops = append(l.tops, y)
	}
	for i, s := range l.Bound {
		if i >= len(rows) || rows[i].Kind != s.kind {
			l.release(i)
		}
	}
	if l.Width == 0 || l.Inner.Size().Height != max(y, l.Scroll.Size().Height) {
		l.Refit()
	}
	l.Arrange(true)
}

// Row returns the index of the row at y, or len(Rows) below the last row.
func (l *VarList) Row(y float32) int {
	lo, hi := 0, len(l.Rows)
	for lo < hi {
		if mid := (lo + hi) / 2; l.tops[mid+1] <= y {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Arrange creates and places the visible rows. If rebind is set, it also binds the existing rows
// again.
func (l *VarList) Arrange(rebind bool) {
	if l.Width == 0 || len(l.tops) == 0 {
		return
	}
	top, high := l.Scroll.Offset.Y, l.Scroll.Size().Height
	first, last := l.Row(top-varListOver), l.Row(top+high+varListOver)
	for i := range l.Bound {
		if i < first || i > last {
			l.release(i)
		}
	}
	objects := []fyne.CanvasObject{l.repaint}
	for i := first; i <= last && i < len(l.Rows); i++ {
		s, have := l.Bound[i]
		if !have {
			s = l.slot(l.Rows[i].Kind)
			l.Bound[i] = s
		}
		if rebind || !have {
			l.Bind(l.Rows[i], s.Row)
		}
		if pos, size := fyne.NewPos(0, l.tops[i]), fyne.NewSize(l.Width-VarListBar, l.Rows[i].Height); s.object.Position() != pos || s.object.Size() != size {
			kit.Place(s.object, pos.X, pos.Y, size.Width, size.Height)
		}
		objects = append(objects, s.object)
	}
	if !SameObjects(objects, l.column.Objects) {
		l.column.Objects = objects
		canvas.Refresh(l.repaint)
	}
}

func (l *VarList) slot(kind int) varSlot {
	if n := len(l.Spare[kind]); n > 0 {
		s := l.Spare[kind][n-1]
		l.Spare[kind] = l.Spare[kind][:n-1]
		return s
	}
	object, row := l.Make(kind)
	return varSlot{kind, object, row}
}

func (l *VarList) release(i int) {
	s := l.Bound[i]
	delete(l.Bound, i)
	l.Spare[s.kind] = append(l.Spare[s.kind], s)
	if l.Free != nil {
		l.Free(s.Row)
	}
}

// Reveal scrolls a row and the one before it into view.
func (l *VarList) Reveal(i int) {
	if i < 0 || i >= len(l.Rows) || l.Width == 0 {
		return
	}
	top, end, high := l.tops[max(i-1, 0)], l.tops[i+1], l.Scroll.Size().Height
	switch y := l.Scroll.Offset.Y; {
	case top < y:
		l.GoTo(top)
	case end > y+high:
		l.GoTo(end - high)
	}
}

// SameObjects reports whether two lists contain the same objects in the same order.
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

// GoTo scrolls to y and arranges the rows. It does this itself, because Fyne calls OnScrolled
// only for actions of the user.
func (l *VarList) GoTo(y float32) {
	l.Scroll.ScrollToOffset(fyne.NewPos(0, max(y, 0)))
	l.Arrange(false)
}
