package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// A rack is a column of rows of several kinds and heights, of which only those
// in sight exist. They are used again as one scrolls.
type rack struct {
	*scroller
	column *fyne.Container   // the rows that exist
	pulse  *canvas.Rectangle // refreshed so that the window is painted again
	rows   []rackRow
	tops   []float32 // of the rows, and the end of the last
	used   map[int]rackSlot
	spare  map[int][]rackSlot // by their kind

	make func(kind int) (drawn fyne.CanvasObject, row any)
	bind func(r rackRow, row any) // shows a row; it may be shown already
	free func(row any)            // is told that a row is out of sight
}

// A rackRow is one row: the at-th of what its kind is about.
type rackRow struct {
	kind, at int
	height   float32
}

// A rackSlot is what draws a row.
type rackSlot struct {
	kind   int
	object fyne.CanvasObject
	row    any
}

// rackBar is the room beside the rows for the bar.
const rackBar = 8

// rackOver is how far out of sight rows exist, so that Tab finds the next ones.
const rackOver = 80

func newRack() *rack {
	k := &rack{pulse: canvas.NewRectangle(color.Transparent), used: map[int]rackSlot{}, spare: map[int][]rackSlot{}}
	k.column = container.New(rackLayout{k}, k.pulse)
	k.scroller = newScroller(k.column)
	k.scroll.OnScrolled = func(fyne.Position) { k.arrange(false) }
	return k
}

// rackLayout is that of the column: the rack itself knows where rows are.
type rackLayout struct{ k *rack }

func (l rackLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.k.arrange(false) }

func (l rackLayout) heightFor([]fyne.CanvasObject, float32) float32 { return l.k.tall() }

func (l rackLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.k.tall()) }

func (k *rack) tall() float32 {
	if len(k.tops) == 0 {
		return 0
	}
	return k.tops[len(k.tops)-1]
}

// show makes the rows those, and shows what is in sight anew.
func (k *rack) show(rows []rackRow) {
	k.rows, k.tops = rows, append(k.tops[:0], 0)
	y := float32(0)
	for _, r := range rows {
		y += r.height
		k.tops = append(k.tops, y)
	}
	for i, s := range k.used {
		if i >= len(rows) || rows[i].kind != s.kind {
			k.release(i)
		}
	}
	if k.width == 0 || k.inner.Size().Height != max(y, k.scroll.Size().Height) {
		k.refit()
	}
	k.arrange(true)
}

// row is the row at a height.
func (k *rack) row(y float32) int {
	lo, hi := 0, len(k.rows)
	for lo < hi {
		if mid := (lo + hi) / 2; k.tops[mid+1] <= y {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// arrange makes and places what is in sight. Where anew is set, what exists is
// shown anew too.
func (k *rack) arrange(anew bool) {
	if k.width == 0 || len(k.tops) == 0 {
		return
	}
	top, high := k.scroll.Offset.Y, k.scroll.Size().Height
	first, last := k.row(top-rackOver), k.row(top+high+rackOver)
	for i := range k.used {
		if i < first || i > last {
			k.release(i)
		}
	}
	objects := []fyne.CanvasObject{k.pulse}
	for i := first; i <= last && i < len(k.rows); i++ {
		s, have := k.used[i]
		if !have {
			s = k.slot(k.rows[i].kind)
			k.used[i] = s
		}
		if anew || !have {
			k.bind(k.rows[i], s.row)
		}
		if pos, size := fyne.NewPos(0, k.tops[i]), fyne.NewSize(k.width-rackBar, k.rows[i].height); s.object.Position() != pos || s.object.Size() != size {
			place(s.object, pos.X, pos.Y, size.Width, size.Height)
		}
		objects = append(objects, s.object)
	}
	if !sameObjects(objects, k.column.Objects) {
		k.column.Objects = objects
		canvas.Refresh(k.pulse)
	}
}

func (k *rack) slot(kind int) rackSlot {
	if n := len(k.spare[kind]); n > 0 {
		s := k.spare[kind][n-1]
		k.spare[kind] = k.spare[kind][:n-1]
		return s
	}
	object, row := k.make(kind)
	return rackSlot{kind, object, row}
}

func (k *rack) release(i int) {
	s := k.used[i]
	delete(k.used, i)
	k.spare[s.kind] = append(k.spare[s.kind], s)
	if k.free != nil {
		k.free(s.row)
	}
}

// reveal brings a row into sight, with the one before it.
func (k *rack) reveal(i int) {
	if i < 0 || i >= len(k.rows) || k.width == 0 {
		return
	}
	top, end, high := k.tops[max(i-1, 0)], k.tops[i+1], k.scroll.Size().Height
	switch y := k.scroll.Offset.Y; {
	case top < y:
		k.goTo(top)
	case end > y+high:
		k.goTo(end - high)
	}
}

// sameObjects reports whether two lists hold the same objects in the same order.
func sameObjects(a, b []fyne.CanvasObject) bool {
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

// goTo shows what is at y. Fyne's scroller tells of what the user does, and not
// of this.
func (k *rack) goTo(y float32) {
	k.scroll.ScrollToOffset(fyne.NewPos(0, max(y, 0)))
	k.arrange(false)
}
