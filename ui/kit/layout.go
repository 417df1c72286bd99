package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Fyne asks an object for its minimal size before it sets its width, so wrapped text cannot
// answer. The layouts of this package ask for the height at a given width, from the top down, in
// one pass.

// A Tall object can compute its height for a given width.
type Tall interface {
	HeightFor(width float32) float32
}

// A TallLayout can compute the height of its objects for a given width.
type TallLayout interface {
	fyne.Layout
	HeightFor(objects []fyne.CanvasObject, width float32) float32
}

// HeightOf returns the height of o at a width. For an object that cannot compute it, that is its
// minimal height.
func HeightOf(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case Tall:
		return o.HeightFor(width)
	case *fyne.Container:
		if l, ok := o.Layout.(TallLayout); ok {
			return l.HeightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// Place moves and resizes o. Fyne lays out a container only when its size changes. Place always
// does, because the content may have changed.
func Place(o fyne.CanvasObject, x, y, w, h float32) {
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

// A column stacks its objects vertically at its full width.
type column struct{ gap float32 }

// Vertical returns a container that stacks its visible objects, each at its full width. Gaps are
// between objects only.
func Vertical(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

func (l column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := HeightOf(o, size.Width)
		Place(o, 0, y, size.Width, h)
		y += h + l.gap
	}
}

func (l column) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		if o.Visible() {
			h += HeightOf(o, width) + l.gap
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
	return fyne.NewSize(w, l.HeightFor(objects, currentWidth(objects, w)))
}

// currentWidth returns the common width of objects, or otherwise before their first layout. Fyne
// asks for minimal sizes at any time. Computing one for any other width would wrap and draw the
// text at that width.
func currentWidth(objects []fyne.CanvasObject, otherwise float32) float32 {
	for _, o := range objects {
		if w := o.Size().Width; o.Visible() && w > 0 {
			return w
		}
	}
	return otherwise
}

// A Row lays out its objects horizontally and centres them vertically. Flex gets the remaining
// width.
type Row struct {
	Gap  float32
	Flex fyne.CanvasObject
	Top  bool // aligns the objects at the top
}

// Horizontal returns a container with the layout [Row]. flex is one of the objects, or nil.
func Horizontal(gap float32, flex fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(Row{Gap: gap, Flex: flex}, objects...)
}

func (l Row) widths(objects []fyne.CanvasObject, width float32) []float32 {
	ws := make([]float32, len(objects))
	rest, flex := width, -1
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		rest -= l.Gap
		if o == l.Flex {
			flex = i
			continue
		}
		ws[i] = o.MinSize().Width
		rest -= ws[i]
	}
	if flex >= 0 {
		ws[flex] = max(rest+l.Gap, 0)
	}
	return ws
}

func (l Row) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	ws := l.widths(objects, size.Width)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		h, y := HeightOf(o, ws[i]), float32(0)
		if !l.Top {
			y = (size.Height - h) / 2
		}
		Place(o, x, y, ws[i], h)
		x += ws[i] + l.Gap
	}
}

func (l Row) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for i, w := range l.widths(objects, width) {
		if objects[i].Visible() {
			h = max(h, HeightOf(objects[i], w))
		}
	}
	return h
}

func (l Row) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w, h := float32(0), float32(0)
	for _, o := range objects {
		if o.Visible() {
			m := o.MinSize()
			w, h = w+m.Width+l.Gap, max(h, m.Height)
		}
	}
	return fyne.NewSize(max(w-l.Gap, 0), h)
}

// A Margin stacks its objects on top of each other, inside the given distances
// from its edges.
type Margin struct{ Top, Right, Bottom, Left float32 }

func Inset(m Margin, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(m, objects...)
}

// Boxed puts o on a panel, inside a margin.
func Boxed(p *Panel, m Margin, o fyne.CanvasObject) *fyne.Container {
	return container.New(Margin{}, p, Inset(m, o))
}

func (l Margin) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		Place(o, l.Left, l.Top, max(size.Width-l.Left-l.Right, 0), max(size.Height-l.Top-l.Bottom, 0))
	}
}

// HeightFor counts hidden objects too, because the transcript hides entries outside the viewport
// and keeps their space.
func (l Margin) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, HeightOf(o, width-l.Left-l.Right))
	}
	return h + l.Top + l.Bottom
}

func (l Margin) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m = m.Max(o.MinSize())
	}
	return m.AddWidthHeight(l.Left+l.Right, l.Top+l.Bottom)
}

// A MaxWidth centres its objects and limits their width. Edge is the minimal distance from either
// side.
type MaxWidth struct{ Width, Edge float32 }

func (l MaxWidth) Fit(width float32) float32 { return max(min(l.Width, width-2*l.Edge), 0) }

func (l MaxWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.Fit(size.Width)
	for _, o := range objects {
		Place(o, float32(int((size.Width-w)/2)), 0, w, size.Height)
	}
}

func (l MaxWidth) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, HeightOf(o, l.Fit(width)))
	}
	return h
}

func (l MaxWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := currentWidth(objects, l.Width)
	h := float32(0)
	for _, o := range objects {
		h = max(h, HeightOf(o, width))
	}
	return fyne.NewSize(0, h)
}

// Fixed reports Min as its minimal size, regardless of what its objects need.
type Fixed struct{ Min fyne.Size }

// Sized returns a container with one object, whose minimal size is w by h. Its parent may make it
// larger.
func Sized(w, h float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(Fixed{fyne.NewSize(w, h)}, o)
}

func (l Fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		Place(o, 0, 0, size.Width, size.Height)
	}
}

func (l Fixed) MinSize([]fyne.CanvasObject) fyne.Size { return l.Min }

// SideBySide puts its two objects beside each other. The second keeps its width. If that leaves
// less than Least for the first object, the second goes below it.
type SideBySide struct {
	Gap, Least float32
	Right      bool // aligns the second object right, even below the first
}

func (l SideBySide) split(objects []fyne.CanvasObject, width float32) (first, second float32, beside bool) {
	second = objects[1].MinSize().Width
	first = width - second
	if second > 0 {
		first -= l.Gap
	}
	if first < l.Least {
		return width, min(second, width), false
	}
	return first, second, true
}

func (l SideBySide) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first, second, beside := l.split(objects, size.Width)
	a, b := HeightOf(objects[0], first), HeightOf(objects[1], second)
	if beside {
		Place(objects[0], 0, (size.Height-a)/2, first, a)
		Place(objects[1], size.Width-second, (size.Height-b)/2, second, b)
		return
	}
	Place(objects[0], 0, 0, first, a)
	x := float32(0)
	if l.Right {
		x = size.Width - second
	}
	Place(objects[1], x, a+l.Gap, second, b)
}

func (l SideBySide) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	first, second, beside := l.split(objects, width)
	a, b := HeightOf(objects[0], first), HeightOf(objects[1], second)
	if beside {
		return max(a, b)
	}
	return a + l.Gap + b
}

func (l SideBySide) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.Least, l.HeightFor(objects, l.Least))
}

// ChipSize returns the size of every chip. A chip truncates a name that does not fit.
func ChipSize() fyne.Size { return fyne.NewSize(216, 50) }
