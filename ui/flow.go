package ui

import "fyne.io/fyne/v2"

// A flow puts its objects beside each other, and under each other where there is
// no room.
type flow struct {
	gap   float32
	right bool // they end at the right
	least fyne.Size
}

func (l flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.each(objects, size.Width, func(o fyne.CanvasObject, x, y float32, m fyne.Size) { place(o, x, y, m.Width, m.Height) })
}

// each calls f with the place of each object, and returns the height of all.
func (l flow) each(objects []fyne.CanvasObject, width float32, f func(o fyne.CanvasObject, x, y float32, m fyne.Size)) float32 {
	y := float32(0)
	for from := 0; from < len(objects); {
		to, used, high := from, float32(0), float32(0)
		for to < len(objects) {
			m := objects[to].MinSize()
			if to > from && used+l.gap+m.Width > width {
				break
			}
			if to > from {
				used += l.gap
			}
			used, high = used+m.Width, max(high, m.Height)
			to++
		}
		x := float32(0)
		if l.right {
			x = width - used
		}
		for _, o := range objects[from:to] {
			m := o.MinSize()
			f(o, x, y, m)
			x += m.Width + l.gap
		}
		y += high + l.gap
		from = to
	}
	return max(y-l.gap, 0)
}

func (l flow) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return l.each(objects, width, func(fyne.CanvasObject, float32, float32, fyne.Size) {})
}

func (l flow) MinSize([]fyne.CanvasObject) fyne.Size { return l.least }
