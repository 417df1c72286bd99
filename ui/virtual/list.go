package virtual

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A List is a virtual list with rows of one height. It creates objects only for the visible rows.
// It is as high as its rows, up to the height most; beyond that, it scrolls.
type List struct {
	widget.BaseWidget
	Count  int
	most   float32 // the maximal height; 0 means no limit
	Offset float64 // the scroll offset; float32 is too coarse for a million rows

	OnWidth      func(width float32)          // runs before HeightFor answers
	OnOverscroll func(*fyne.ScrollEvent)      // receives wheel events beyond the end of the list
	OnWheel      func(*fyne.ScrollEvent) bool // returns true if the owner handled the event
	OnKey        func(*fyne.KeyEvent) bool    // returns true if the owner handled the key
	OnFocus      func(bool)
	OnResize     func(fyne.Size)

	OnShortcut func(fyne.Shortcut) bool // returns true if the owner handled the shortcut

	Root *fyne.Container // the object that the page shows
	rows listRows
	Bar  *listBar

	Wheel kit.Wheel // distinguishes notches from fingers, for the owner too
}

// listRows holds the row objects of a list. The list reuses them while it scrolls.
type listRows struct {
	height  float32 // the height of each row
	make    func() fyne.CanvasObject
	bind    func(i int, o fyne.CanvasObject)
	objects []fyne.CanvasObject
	bound   []int // the index of the row that each object shows; -1 for none
}

// NewList returns an empty list. make creates a row object, and bind shows row i in it. If most
// is 0, the height has no limit.
func NewList(height, most float32, make func() fyne.CanvasObject, bind func(int, fyne.CanvasObject)) *List {
	r := &List{most: most, rows: listRows{height: height, make: make, bind: bind}}
	r.ExtendBaseWidget(r)
	r.Bar = newListBar(r)
	r.Root = container.New(listLayout{r})
	r.fit()
	return r
}

// Set changes the number of rows and redraws the visible ones.
func (l *List) Set(count int) {
	l.Count = count
	l.fit()
	l.Redraw()
}

// Redraw redraws the visible rows.
func (l *List) Redraw() {
	for i := range l.rows.bound {
		l.rows.bound[i] = -1
	}
	l.ScrollTo(l.Offset)
}

// fit clips the list only if it scrolls. Fyne treats every scrollable object as a clipping
// region. It then draws the object and sends it pointer events even outside the page that
// contains it.
func (l *List) fit() {
	if l.most > 0 && l.total() <= float64(l.most) {
		l.Root.Objects = []fyne.CanvasObject{l}
		return
	}
	if len(l.Root.Objects) == 1 {
		if _, ok := l.Root.Objects[0].(*listClip); ok {
			return
		}
	}
	l.Root.Objects = []fyne.CanvasObject{newListClip(l)}
}

// HeightFor returns the height of all rows, up to the limit of the list.
func (l *List) HeightFor(width float32) float32 {
	if l.OnWidth != nil {
		l.OnWidth(width)
	}
	h := float32(l.Count) * l.rows.height
	if l.most > 0 {
		h = min(h, l.most)
	}
	return h
}

func (l *List) total() float64 { return float64(l.Count) * float64(l.rows.height) }

// ScrollTo scrolls to an offset within the list. It reports whether the offset changed.
func (l *List) ScrollTo(offset float64) bool {
	offset = max(min(offset, l.total()-float64(l.Size().Height)), 0)
	moved := offset != l.Offset
	l.Offset = offset
	l.arrange()
	return moved
}

// Reveal scrolls a row into view. A row that was far away is centred.
func (l *List) Reveal(i int) {
	top, view := float64(i)*float64(l.rows.height), float64(l.Size().Height)
	switch {
	case top >= l.Offset && top+float64(l.rows.height) <= l.Offset+view:
	case top < l.Offset && top > l.Offset-float64(l.rows.height)*2:
		l.ScrollTo(top)
	case top > l.Offset && top < l.Offset+view+float64(l.rows.height):
		l.ScrollTo(top + float64(l.rows.height) - view)
	default:
		l.ScrollTo(math.Round((top-view/2)/float64(l.rows.height)) * float64(l.rows.height))
	}
}

// RowTop returns the distance of the top of a row from the top of the list.
func (l *List) RowTop(i int) float32 { return float32(float64(i)*float64(l.rows.height) - l.Offset) }

// arrange binds and places the visible rows.
func (l *List) arrange() {
	size := l.Size()
	if size.Height <= 0 || size.Width <= 0 {
		return
	}
	need := min(int(size.Height/l.rows.height)+2, l.Count)
	rows := &l.rows
	for len(rows.objects) < need {
		rows.objects = append(rows.objects, rows.make())
		rows.bound = append(rows.bound, -1)
	}
	first := int(l.Offset / float64(l.rows.height))
	used := make([]bool, len(rows.objects))
	for i := first; i < min(first+need, l.Count); i++ {
		slot := i % len(rows.objects)
		used[slot] = true
		row := rows.objects[slot]
		if rows.bound[slot] != i {
			rows.bound[slot] = i
			rows.bind(i, row)
		}
		row.Show()
		kit.Place(row, 0, float32(float64(i)*float64(l.rows.height)-l.Offset), size.Width, l.rows.height)
	}
	for slot, on := range used {
		if !on && rows.objects[slot].Visible() {
			rows.objects[slot].Hide()
			rows.bound[slot] = -1
		}
	}
	l.Bar.place()
	canvas.Refresh(l)
}

// wheel scrolls the list. At either end, it calls OnOverscroll instead.
func (l *List) wheel(e *fyne.ScrollEvent) {
	if l.OnWheel != nil && l.OnWheel(e) {
		return
	}
	if !l.ScrollTo(l.Offset-float64(l.Wheel.Distance(e).DY)) && l.OnOverscroll != nil {
		l.OnOverscroll(e)
	}
}

func (l *List) CreateRenderer() fyne.WidgetRenderer { return &listRenderer{l} }

type listRenderer struct{ r *List }

func (r *listRenderer) Layout(size fyne.Size) {
	r.r.ScrollTo(r.r.Offset)
	if r.r.OnResize != nil {
		r.r.OnResize(size)
	}
}

func (r *listRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 0) }

func (r *listRenderer) Refresh() {
	for _, row := range r.r.rows.objects {
		row.Refresh()
	}
	r.r.Bar.Refresh()
}

func (r *listRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject(nil), r.r.rows.objects...), r.r.Bar)
}

func (r *listRenderer) Destroy() {}
