package kit

import "fyne.io/fyne/v2"

// A Flow lays out its objects in rows, and starts a new row when the width is used up. An object
// that is wider than a row gets the width of the row.
type Flow struct {
	Gap   float32
	Right bool // aligns each row right
	Min   fyne.Size
}

func (l Flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.each(objects, size.Width, func(o fyne.CanvasObject, x, y float32, m fyne.Size) { Place(o, x, y, m.Width, m.Height) })
}

// each calls f with the position and size of each object. It returns the total height of the
// rows.
func (l Flow) each(objects []fyne.CanvasObject, width float32, f func(o fyne.CanvasObject, x, y float32, m fyne.Size)) float32 {
	y := float32(0)
	for from := 0; from < len(objects); {
		to, used, high := from, float32(0), float32(0)
		for to < len(objects) {
			m := rowSize(objects[to], width)
			if to > from && used+l.Gap+m.Width > width {
				break
			}
			if to > from {
				used += l.Gap
			}
			used, high = used+m.Width, max(high, m.Height)
			to++
		}
		x := float32(0)
		if l.Right {
			x = width - used
		}
		for _, o := range objects[from:to] {
			m := rowSize(o, width)
			f(o, x, y+(high-m.Height)/2, m)
			x += m.Width + l.Gap
		}
		y += high + l.Gap
		from = to
	}
	return max(y-l.Gap, 0)
}

// rowSize returns the size of o in a row of the given width.
func rowSize(o fyne.CanvasObject, width float32) fyne.Size {
	w := min(o.MinSize().Width, width)
	return fyne.NewSize(w, HeightOf(o, w))
}

func (l Flow) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return l.each(objects, width, func(fyne.CanvasObject, float32, float32, fyne.Size) {})
}

func (l Flow) MinSize([]fyne.CanvasObject) fyne.Size { return l.Min }
