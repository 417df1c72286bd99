package ui

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// A roll is a great many rows of one height, of which only those in sight exist.
// It is as high as its rows up to most, and scrolls where that is not enough.
type roll struct {
	widget.BaseWidget
	count  int
	height float32 // of a row
	most   float32 // 0: it takes what it is given
	offset float64 // of the first row in sight; float32 is too coarse for a million rows
	make   func() fyne.CanvasObject
	bind   func(i int, o fyne.CanvasObject)

	OnWidth  func(width float32)       // before it says how high it is at a width, or is laid out
	OnPast   func(*fyne.ScrollEvent)   // the wheel, where there is nothing to scroll
	OnKey    func(*fyne.KeyEvent) bool // reports whether it was its owner's
	OnFocus  func(bool)
	OnResize func(fyne.Size)

	OnShortcut func(fyne.Shortcut) bool // as OnKey

	root  *fyne.Container // what to put on a page
	rows  []fyne.CanvasObject
	bound []int // which row each shows; -1 none
	bar   *rollBar
}

func newRoll(height, most float32, make func() fyne.CanvasObject, bind func(int, fyne.CanvasObject)) *roll {
	r := &roll{height: height, most: most, make: make, bind: bind}
	r.ExtendBaseWidget(r)
	r.bar = newRollBar(r)
	r.root = container.New(rolled{r})
	r.fit()
	return r
}

// set changes the number of rows, and draws all of them anew.
func (r *roll) set(count int) {
	r.count = count
	r.fit()
	r.renew()
}

// renew draws anew what is in sight.
func (r *roll) renew() {
	for i := range r.bound {
		r.bound[i] = -1
	}
	r.scrollTo(r.offset)
}

// fit puts the roll into a sleeve only where it scrolls. Fyne takes whatever can
// scroll for a window of its own, and then shows it, and finds it under the
// pointer, also where the page around it has come to its end.
func (r *roll) fit() {
	if r.most > 0 && r.total() <= float64(r.most) {
		r.root.Objects = []fyne.CanvasObject{r}
		return
	}
	if len(r.root.Objects) == 1 {
		if _, ok := r.root.Objects[0].(*sleeve); ok {
			return
		}
	}
	r.root.Objects = []fyne.CanvasObject{newSleeve(r)}
}

func (r *roll) HeightFor(width float32) float32 {
	if r.OnWidth != nil {
		r.OnWidth(width)
	}
	h := float32(r.count) * r.height
	if r.most > 0 {
		h = min(h, r.most)
	}
	return h
}

func (r *roll) total() float64 { return float64(r.count) * float64(r.height) }

// scrollTo moves the rows, and reports whether there was anywhere to go.
func (r *roll) scrollTo(offset float64) bool {
	offset = max(min(offset, r.total()-float64(r.Size().Height)), 0)
	moved := offset != r.offset
	r.offset = offset
	r.lay()
	return moved
}

// reveal brings a row into sight, in the middle where it was far away.
func (r *roll) reveal(i int) {
	top, view := float64(i)*float64(r.height), float64(r.Size().Height)
	switch {
	case top >= r.offset && top+float64(r.height) <= r.offset+view:
	case top < r.offset && top > r.offset-float64(r.height)*2:
		r.scrollTo(top)
	case top > r.offset && top < r.offset+view+float64(r.height):
		r.scrollTo(top + float64(r.height) - view)
	default:
		r.scrollTo(math.Round((top-view/2)/float64(r.height)) * float64(r.height))
	}
}

// lay puts the rows in sight where they belong.
func (r *roll) lay() {
	size := r.Size()
	if size.Height <= 0 || size.Width <= 0 {
		return
	}
	need := min(int(size.Height/r.height)+2, r.count)
	for len(r.rows) < need {
		r.rows = append(r.rows, r.make())
		r.bound = append(r.bound, -1)
	}
	first := int(r.offset / float64(r.height))
	used := make([]bool, len(r.rows))
	for i := first; i < min(first+need, r.count); i++ {
		slot := i % len(r.rows)
		used[slot] = true
		row := r.rows[slot]
		if r.bound[slot] != i {
			r.bound[slot] = i
			r.bind(i, row)
		}
		row.Show()
		place(row, 0, float32(float64(i)*float64(r.height)-r.offset), size.Width, r.height)
	}
	for slot, on := range used {
		if !on && r.rows[slot].Visible() {
			r.rows[slot].Hide()
			r.bound[slot] = -1
		}
	}
	r.bar.lay()
	canvas.Refresh(r)
}

// wheel moves the rows, or what is around them where they have come to an end.
func (r *roll) wheel(e *fyne.ScrollEvent) {
	if !r.scrollTo(r.offset-float64(e.Scrolled.DY)) && r.OnPast != nil {
		r.OnPast(e)
	}
}

func (r *roll) CreateRenderer() fyne.WidgetRenderer { return &rollRenderer{r} }

type rollRenderer struct{ r *roll }

func (r *rollRenderer) Layout(size fyne.Size) {
	r.r.scrollTo(r.r.offset)
	if r.r.OnResize != nil {
		r.r.OnResize(size)
	}
}

func (r *rollRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 0) }

func (r *rollRenderer) Refresh() {
	for _, row := range r.r.rows {
		row.Refresh()
	}
	r.r.bar.Refresh()
}

func (r *rollRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject(nil), r.r.rows...), r.r.bar)
}

func (r *rollRenderer) Destroy() {}
