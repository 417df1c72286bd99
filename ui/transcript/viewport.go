package transcript

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

// A viewport holds the rows of a transcript and creates only the blocks near the visible part.
// The height of a row is an estimate until its block exists.
type viewport struct {
	t       *Transcript
	List    *fyne.Container // contains the rows that exist
	Scroll  *kit.Scroller
	invalid *canvas.Rectangle // refreshing it repaints the window
	words   *kit.WordMeasure

	Items   []view.Item
	Rows    []entry
	Heights virtual.Heights // the heights of the rows, each with the gap below it
	width   float32         // the width of the rows
	Grow    float32         // points added to the usual text size
	Stick   bool            // the view follows the end
	Live    bool            // a turn is running, so the last item may grow
	hold    hold
	Made    [2]int // the first row that exists, and the row after the last
	user    userMessages
}

// userMessages holds the state of the user's own messages.
type userMessages struct {
	edited   *editor         // edits a message; nil if the user edits none
	unfolded map[string]bool // the texts of long messages that are unfolded
}

func newViewport(t *Transcript) viewport {
	v := viewport{t: t, Stick: true, words: kit.NewWordMeasure(), invalid: canvas.NewRectangle(color.Transparent)}
	v.List = container.New(rowLayout{t}, v.invalid, t.Selection.events, t.Keyboard.Ring)
	v.Scroll = &kit.Scroller{Inner: v.List, Scroll: kit.NewScroll(v.List)}
	v.Scroll.Root = container.New(visibleLayout{t}, v.Scroll.Scroll)
	v.Scroll.Scroll.OnScrolled = func(fyne.Position) { t.View.scrolled() }
	return v
}

// scrolled handles the user's scrolling.
func (v *viewport) scrolled() {
	if v.hold.busy {
		return
	}
	v.Stick = v.Scroll.AtBottom()
	v.Arrange()
	if v.t.On.Scrolled != nil {
		v.t.On.Scrolled()
	}
}

// rowLayout is the layout of the list of rows. Arrange places the rows.
type rowLayout struct{ t *Transcript }

func (l rowLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.t.View.Arrange() }

func (l rowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.t.View.Tall()) }

// visibleLayout is the layout of the visible part.
type visibleLayout struct{ t *Transcript }

func (l visibleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.t.View.Scroll.Width = size.Width
	objects[0].Resize(size)
	l.t.View.Arrange()
}

func (l visibleLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }

// headroom returns the space above the first row. It includes the find bar, so that the bar
// covers no match.
func (v *viewport) headroom() float32 {
	if v.t.Find.open {
		return edgeGap + barHeight
	}
	return edgeGap
}

// Tall returns the height of all rows and margins.
func (v *viewport) Tall() float32 { return v.Heights.Total() + v.headroom() + edgeGap - rowGap }

// resize sets the width of the rows and estimates the heights of the rows that do not exist.
func (v *viewport) resize(w float32) {
	v.width = w
	for i := range v.Rows {
		v.Rows[i].measured, v.Rows[i].placed = false, false
		if v.Rows[i].Block == nil {
			v.Heights.Set(i, estimatedRowHeight(v, i, v.Items[i]))
		}
	}
}

// Arrange creates and places the rows near the visible part. If a height differs from its
// estimate, the first visible row stays in place, or the end if the view follows it. After a
// change of the width, the text at the top stays there.
func (v *viewport) Arrange() {
	if v.hold.busy || v.Scroll.Width == 0 {
		return
	}
	top := v.Scroll.Scroll.Offset.Y
	w := kit.MaxWidth{Width: MaxTextWidth, Edge: sideGap}.Fit(v.Scroll.Width)
	if w == v.width {
		arrange(v, top, place{})
		return
	}
	at := topPlace(v, top)
	v.resize(w)
	arrange(v, top, at)
}

// arrange is Arrange for a visible part that begins at top or, if at is valid, at that place.
func arrange(v *viewport, top float32, at place) {
	v.hold.busy = true
	defer func() { v.hold.busy = false }()
	if at.ok && !v.Stick {
		top = measureAround(v, at)
	}
	high := v.Scroll.Scroll.Size().Height
	anchor := v.anchorAt(top, high)
	for range 6 {
		if v.Stick {
			top = max(v.Tall()-high, 0)
			anchor = len(v.Rows)
		}
		shift, changed := v.measure(top, high, anchor)
		if !v.Stick {
			top += shift
		}
		if shift == 0 && !changed {
			break
		}
	}
	top = clampOffset(v, top)
	v.place(top, high)
	v.ScrollTo(top)
	v.t.Overlay.update()
}

// anchorAt returns the row that stays in place: the first visible row with an exact height.
func (v *viewport) anchorAt(top, high float32) int {
	first := v.Heights.At(top - v.headroom())
	for i := first; i < len(v.Rows) && v.Heights.Before(i)+v.headroom() < top+high; i++ {
		if v.Rows[i].Block != nil && v.Rows[i].measured {
			return i
		}
	}
	return first
}

// measure creates the rows near the visible part and measures their heights. It returns how far
// the row anchor moved down, and whether a height changed.
func (v *viewport) measure(top, high float32, anchor int) (shift float32, changed bool) {
	first := v.Heights.At(top - v.headroom() - overscan)
	y := v.Heights.Before(first) + v.headroom()
	for i := first; i < len(v.Rows) && y < top+high+overscan; i++ {
		was, h := v.Heights.Each[i], float32(0)
		if v.Rows[i].isHidden() { // its height is exact
			y += was
			continue
		}
		b := v.Make(i)
		right, down := v.Rows[i].inset(i)
		if part, ok := b.(longBlock); ok {
			var inner float32
			h, inner = part.Reveal(top-overscan-y, top+high+overscan-y, max(top-y, 0), v.width-right)
			if i == anchor {
				shift += inner
			}
			v.Rows[i].placed = v.Rows[i].placed && h+rowGap == was
		} else if v.Rows[i].measured {
			h = was - rowGap
		} else {
			h = kit.HeightOf(b.Object(), v.width-right) + down
			v.Rows[i].placed = false
		}
		v.Rows[i].measured = true
		if d := h + rowGap - was; d != 0 {
			v.Heights.Set(i, h+rowGap)
			changed = true
			if i < anchor {
				shift += d
			}
		}
		y += h + rowGap
	}
	return shift, changed
}

// Make returns the block of a row and creates it if necessary.
func (v *viewport) Make(i int) block {
	r := &v.Rows[i]
	if r.Block == nil {
		r.Block = v.t.block(i, v.Items[i])
		r.measured, r.placed = false, false
		v.t.tint(i)
	}
	return r.Block
}

// place positions the rows near the visible part and drops the others.
func (v *viewport) place(top, high float32) {
	first := v.Heights.At(top - v.headroom() - overscan)
	objects := append(v.List.Objects[:0:0], v.invalid, v.t.Selection.events, v.t.Keyboard.Ring)
	v.t.Keyboard.Ring.Hidden = true
	x := float32(int((v.Scroll.Width - v.width) / 2))
	y := v.Heights.Before(first) + v.headroom()
	last := first
	for ; last < len(v.Rows) && y < top+high+overscan; last++ {
		r := &v.Rows[last]
		if v.Rows[last].isGroupHead(last) {
			line := v.Rows[last].group.shownLine().root
			kit.Place(line, x, y, v.width, headHeight)
			objects = append(objects, line)
			v.t.Keyboard.placeRing(last, true, x, y, headHeight)
		}
		if v.Rows[last].isHidden() {
			y += v.Heights.Each[last]
			continue
		}
		if r.Block == nil {
			break
		}
		right, down := v.Rows[last].inset(last)
		o, h := r.Block.Object(), v.Heights.Each[last]-rowGap-down
		if r.placed {
			o.Move(fyne.NewPos(x+right, y+down))
		} else {
			kit.Place(o, x+right, y+down, v.width-right, h)
			r.placed = true
		}
		objects = append(objects, o)
		v.t.Keyboard.placeRing(last, false, x, y+down, h)
		y += down + h + rowGap
	}
	if !virtual.SameObjects(objects, v.List.Objects) {
		v.forget(first, last)
		v.List.Objects = objects
		v.repaint()
	}
	v.t.Selection.events.Resize(fyne.NewSize(v.Scroll.Width, max(v.Tall(), high)))
}

// isListed reports whether the list contains the object of a row.
func (v *viewport) isListed(o fyne.CanvasObject) bool { return slices.Contains(v.List.Objects, o) }

// forget drops the rows outside the range from first to last, except rows with state.
func (v *viewport) forget(first, last int) {
	for i := v.Made[0]; i < min(v.Made[1], len(v.Rows)); i++ {
		if i >= first && i < last {
			continue
		}
		if v.Rows[i].isGroupHead(i) {
			v.Rows[i].group.line = nil
		}
		if k, ok := v.Rows[i].Block.(statefulBlock); ok && k.keepsState() {
			continue
		}
		v.removeBlock(i)
	}
	v.Made = [2]int{first, last}
}

// ScrollTo scrolls to top and updates the height of the list.
func (v *viewport) ScrollTo(top float32) {
	s := v.Scroll.Scroll
	if high := max(v.Tall(), s.Size().Height); v.List.Size().Height != high || v.List.Size().Width != v.Scroll.Width {
		v.List.Resize(fyne.NewSize(v.Scroll.Width, high))
		s.Offset.Y = top
		// Refreshing the scroller would refresh all its content. Changing its size only updates
		// the size of the content and the scroll bars.
		s.Resize(s.Size().AddWidthHeight(0, 1))
		s.Resize(s.Size().AddWidthHeight(0, -1))
	}
	if s.Offset.Y != top {
		s.ScrollToOffset(fyne.NewPos(0, top))
	}
}

// estimate returns the estimated height of an item, with the gap below it.
func (v *viewport) estimate(item view.Item) float32 {
	grown := 1 + v.Grow/14
	switch item := item.(type) {
	case view.User:
		shown, _ := view.Fold(item.Text)
		return estimateHeight(shown, v.width*0.8, 22*grown) + 18 + footHeight/2 + rowGap
	case view.Answer:
		return estimateHeight(item.Text, v.width, 24*grown) + footHeight + rowGap
	case view.Thought, view.Pending:
		return 24 + rowGap
	case view.Card:
		return headHeight + rowGap
	case view.Queued:
		shown, _ := view.Fold(item.Text)
		return estimateHeight(shown, v.width*0.8, 22*grown) + 18 + rowGap
	}
	return 60 + rowGap
}

// estimateHeight returns the estimated height of text at a width.
func estimateHeight(text string, width, leading float32) float32 {
	if width <= 0 {
		width = MaxTextWidth
	}
	return (float32(strings.Count(text, "\n")) + 1 + float32(len(text))*7/width) * leading
}

// isTurnEnd reports whether an item is the last of its turn.
func (v *viewport) isTurnEnd(i int) bool {
	if i+1 == len(v.Items) {
		return !v.Live
	}
	switch v.Items[i+1].(type) {
	case view.Answer, view.Thought, view.Card:
		return false
	case view.Queued, view.Pending:
		return !v.Live
	}
	return true
}
