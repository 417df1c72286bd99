package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Fyne asks an object for its smallest size before it knows its width, which
// text that wraps can't answer. So the layouts of this package ask for a height
// at a width, from the top down, in one pass.

// A tall object knows its height at a width.
type tall interface {
	HeightFor(width float32) float32
}

// A tallLayout knows the height of its objects at a width.
type tallLayout interface {
	fyne.Layout
	heightFor(objects []fyne.CanvasObject, width float32) float32
}

func heightOf(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case tall:
		return o.HeightFor(width)
	case *fyne.Container:
		if l, ok := o.Layout.(tallLayout); ok {
			return l.heightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// place puts o somewhere. Fyne lays a container out only when its size changes;
// here what is inside may have changed although the outside has not.
func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	size := fyne.NewSize(w, h)
	if o.Size() != size {
		o.Resize(size)
		return
	}
	if c, ok := o.(*fyne.Container); ok && c.Layout != nil {
		c.Layout.Layout(c.Objects, size)
	}
}

// A column puts its objects under each other, all as wide as it is.
type column struct{ gap float32 }

func vertical(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

func (l column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := heightOf(o, size.Width)
		place(o, 0, y, size.Width, h)
		y += h + l.gap
	}
}

func (l column) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		if o.Visible() {
			h += heightOf(o, width) + l.gap
		}
	}
	return max(h-l.gap, 0)
}

func (l column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w := float32(0)
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return fyne.NewSize(w, l.heightFor(objects, present(objects, w)))
}

// present is the width that objects have, all the same; or else if they have none
// yet. Fyne asks for smallest sizes at any time: what wraps would be set anew at a
// width that it does not have, and drawn so.
func present(objects []fyne.CanvasObject, otherwise float32) float32 {
	for _, o := range objects {
		if w := o.Size().Width; o.Visible() && w > 0 {
			return w
		}
	}
	return otherwise
}

// A row puts its objects beside each other, centred; the one called flex gets
// what the others leave.
type row struct {
	gap  float32
	flex fyne.CanvasObject
	top  bool // the objects hang from the top instead
}

func horizontal(gap float32, flex fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(row{gap: gap, flex: flex}, objects...)
}

func (l row) widths(objects []fyne.CanvasObject, width float32) []float32 {
	ws := make([]float32, len(objects))
	rest, flex := width, -1
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		rest -= l.gap
		if o == l.flex {
			flex = i
			continue
		}
		ws[i] = o.MinSize().Width
		rest -= ws[i]
	}
	if flex >= 0 {
		ws[flex] = max(rest+l.gap, 0)
	}
	return ws
}

func (l row) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	ws := l.widths(objects, size.Width)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		h, y := heightOf(o, ws[i]), float32(0)
		if !l.top {
			y = (size.Height - h) / 2
		}
		place(o, x, y, ws[i], h)
		x += ws[i] + l.gap
	}
}

func (l row) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for i, w := range l.widths(objects, width) {
		if objects[i].Visible() {
			h = max(h, heightOf(objects[i], w))
		}
	}
	return h
}

func (l row) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w, h := float32(0), float32(0)
	for _, o := range objects {
		if o.Visible() {
			m := o.MinSize()
			w, h = w+m.Width+l.gap, max(h, m.Height)
		}
	}
	return fyne.NewSize(max(w-l.gap, 0), h)
}

// A margin keeps its objects, one on top of the other, away from its edges.
type margin struct{ top, right, bottom, left float32 }

func inset(m margin, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(m, objects...)
}

// boxed puts o on a panel, with a margin between.
func boxed(p *panel, m margin, o fyne.CanvasObject) *fyne.Container {
	return container.New(margin{}, p, inset(m, o))
}

func (l margin) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		place(o, l.left, l.top, max(size.Width-l.left-l.right, 0), max(size.Height-l.top-l.bottom, 0))
	}
}

// heightFor counts what is hidden too: the transcript hides what is out of sight
// and keeps its place.
func (l margin) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, heightOf(o, width-l.left-l.right))
	}
	return h + l.top + l.bottom
}

func (l margin) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m = m.Max(o.MinSize())
	}
	return m.AddWidthHeight(l.left+l.right, l.top+l.bottom)
}

// A measure keeps its object to the width that is good to read, in the middle.
type measure struct{ width, edge float32 }

func (l measure) fit(width float32) float32 { return max(min(l.width, width-2*l.edge), 0) }

func (l measure) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.fit(size.Width)
	for _, o := range objects {
		place(o, float32(int((size.Width-w)/2)), 0, w, size.Height)
	}
}

func (l measure) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, heightOf(o, l.fit(width)))
	}
	return h
}

func (l measure) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := present(objects, l.width)
	h := float32(0)
	for _, o := range objects {
		h = max(h, heightOf(o, width))
	}
	return fyne.NewSize(0, h)
}

// fixed gives its objects one size, whatever they want.
type fixed struct{ size fyne.Size }

func sized(w, h float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(fixed{fyne.NewSize(w, h)}, o)
}

func (l fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		place(o, 0, 0, size.Width, size.Height)
	}
}

func (l fixed) MinSize([]fyne.CanvasObject) fyne.Size { return l.size }

// yielding puts its first object beside its second, which keeps its width. Where
// that leaves the first less than the least, the second goes under it.
type yielding struct{ gap, least float32 }

func (l yielding) split(objects []fyne.CanvasObject, width float32) (first, second float32, beside bool) {
	second = objects[1].MinSize().Width
	first = width - second
	if second > 0 {
		first -= l.gap
	}
	if first < l.least {
		return width, min(second, width), false
	}
	return first, second, true
}

func (l yielding) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first, second, beside := l.split(objects, size.Width)
	a, b := heightOf(objects[0], first), heightOf(objects[1], second)
	if beside {
		place(objects[0], 0, (size.Height-a)/2, first, a)
		place(objects[1], size.Width-second, (size.Height-b)/2, second, b)
		return
	}
	place(objects[0], 0, 0, first, a)
	place(objects[1], 0, a+l.gap, second, b)
}

func (l yielding) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	first, second, beside := l.split(objects, width)
	a, b := heightOf(objects[0], first), heightOf(objects[1], second)
	if beside {
		return max(a, b)
	}
	return a + l.gap + b
}

func (l yielding) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.least, l.heightFor(objects, l.least))
}
