package kit

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// A List is a great many rows of one height, of which only those in sight exist.
// It is as high as its rows up to most, and scrolls where that is not enough.
type List struct {
	widget.BaseWidget
	Count  int
	height float32 // of a row
	most   float32 // 0: it takes what it is given
	Offset float64 // of the first row in sight; float32 is too coarse for a million rows
	make   func() fyne.CanvasObject
	bind   func(i int, o fyne.CanvasObject)

	OnWidth  func(width float32)       // before it says how high it is at a width, or is laid out
	OnPast   func(*fyne.ScrollEvent)   // the wheel, where there is nothing to scroll
	OnKey    func(*fyne.KeyEvent) bool // reports whether it was its owner's
	OnFocus  func(bool)
	OnResize func(fyne.Size)

	OnShortcut func(fyne.Shortcut) bool // as OnKey

	Root  *fyne.Container // what to put on a page
	rows  []fyne.CanvasObject
	bound []int // which row each shows; -1 none
	Bar   *listBar
}

func NewList(height, most float32, make func() fyne.CanvasObject, bind func(int, fyne.CanvasObject)) *List {
	r := &List{height: height, most: most, make: make, bind: bind}
	r.ExtendBaseWidget(r)
	r.Bar = newListBar(r)
	r.Root = container.New(listLayout{r})
	r.fit()
	return r
}

// Set changes the number of rows, and draws all of them anew.
func (r *List) Set(count int) {
	r.Count = count
	r.fit()
	r.Renew()
}

// Renew draws anew what is in sight.
func (r *List) Renew() {
	for i := range r.bound {
		r.bound[i] = -1
	}
	r.ScrollTo(r.Offset)
}

// fit puts the roll into a sleeve only where it scrolls. Fyne takes whatever can
// scroll for a window of its own, and then shows it, and finds it under the
// pointer, also where the page around it has come to its end.
func (r *List) fit() {
	if r.most > 0 && r.total() <= float64(r.most) {
		r.Root.Objects = []fyne.CanvasObject{r}
		return
	}
	if len(r.Root.Objects) == 1 {
		if _, ok := r.Root.Objects[0].(*listClip); ok {
			return
		}
	}
	r.Root.Objects = []fyne.CanvasObject{newListClip(r)}
}

func (r *List) HeightFor(width float32) float32 {
	if r.OnWidth != nil {
		r.OnWidth(width)
	}
	h := float32(r.Count) * r.height
	if r.most > 0 {
		h = min(h, r.most)
	}
	return h
}

func (r *List) total() float64 { return float64(r.Count) * float64(r.height) }

// ScrollTo moves the rows, and reports whether there was anywhere to go.
func (r *List) ScrollTo(offset float64) bool {
	offset = max(min(offset, r.total()-float64(r.Size().Height)), 0)
	moved := offset != r.Offset
	r.Offset = offset
	r.lay()
	return moved
}

// Reveal brings a row into sight, in the middle where it was far away.
func (r *List) Reveal(i int) {
	top, view := float64(i)*float64(r.height), float64(r.Size().Height)
	switch {
	case top >= r.Offset && top+float64(r.height) <= r.Offset+view:
	case top < r.Offset && top > r.Offset-float64(r.height)*2:
		r.ScrollTo(top)
	case top > r.Offset && top < r.Offset+view+float64(r.height):
		r.ScrollTo(top + float64(r.height) - view)
	default:
		r.ScrollTo(math.Round((top-view/2)/float64(r.height)) * float64(r.height))
	}
}

// lay puts the rows in sight where they belong.
func (r *List) lay() {
	size := r.Size()
	if size.Height <= 0 || size.Width <= 0 {
		return
	}
	need := min(int(size.Height/r.height)+2, r.Count)
	for len(r.rows) < need {
		r.rows = append(r.rows, r.make())
		r.bound = append(r.bound, -1)
	}
	first := int(r.Offset / float64(r.height))
	used := make([]bool, len(r.rows))
	for i := first; i < min(first+need, r.Count); i++ {
		slot := i % len(r.rows)
		used[slot] = true
		row := r.rows[slot]
		if r.bound[slot] != i {
			r.bound[slot] = i
			r.bind(i, row)
		}
		row.Show()
		Place(row, 0, float32(float64(i)*float64(r.height)-r.Offset), size.Width, r.height)
	}
	for slot, on := range used {
		if !on && r.rows[slot].Visible() {
			r.rows[slot].Hide()
			r.bound[slot] = -1
		}
	}
	r.Bar.lay()
	canvas.Refresh(r)
}

// wheel moves the rows, or what is around them where they have come to an end.
func (r *List) wheel(e *fyne.ScrollEvent) {
	if !r.ScrollTo(r.Offset-float64(e.Scrolled.DY)) && r.OnPast != nil {
		r.OnPast(e)
	}
}

func (r *List) CreateRenderer() fyne.WidgetRenderer { return &listRenderer{r} }

type listRenderer struct{ r *List }

func (r *listRenderer) Layout(size fyne.Size) {
	r.r.ScrollTo(r.r.Offset)
	if r.r.OnResize != nil {
		r.r.OnResize(size)
	}
}

func (r *listRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 0) }

func (r *listRenderer) Refresh() {
	for _, row := range r.r.rows {
		row.Refresh()
	}
	r.r.Bar.Refresh()
}

func (r *listRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject(nil), r.r.rows...), r.r.Bar)
}

func (r *listRenderer) Destroy() {}
