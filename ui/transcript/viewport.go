package transcript

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

// rowLayout is that of the list of rows. Where they are is decided by arrange,
// which knows what is in sight.
type rowLayout struct{ t *Transcript }

func (l rowLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.t.Arrange() }

func (l rowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.t.Tall()) }

// sightLayout is that of the region in which the rows are seen.
type sightLayout struct{ t *Transcript }

func (l sightLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.t.Scroll.Width = size.Width
	objects[0].Resize(size)
	l.t.Arrange()
}

func (l sightLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }

// Headroom is the room above the first row: the bar of a search has a place
// there too, so that it hides nothing that is found.
func (t *Transcript) Headroom() float32 {
	if t.finds {
		return edgeGap + barHeight
	}
	return edgeGap
}

// Tall is the height of everything.
func (t *Transcript) Tall() float32 { return t.Heights.Total() + t.Headroom() + edgeGap - rowGap }

// resize takes another width. What is not in sight is guessed anew.
func (t *Transcript) resize(width float32) {
	w := kit.MaxWidth{Width: Readable, Edge: sideGap}.Fit(width)
	if w == t.width {
		return
	}
	t.width = w
	for i := range t.Rows {
		t.Rows[i].measured, t.Rows[i].placed = false, false
		if t.Rows[i].Block == nil {
			t.Heights.Set(i, t.estimate(t.Items[i]))
		}
	}
}

// Arrange makes and places what is in sight. What turns out to be higher or
// lower than it was thought to be doesn't move what the user looks at: that is
// the row at the top, or the bottom if the user is there.
func (t *Transcript) Arrange() {
	if t.busy || t.Scroll.Width == 0 {
		return
	}
	t.busy = true
	defer func() { t.busy = false }()
	t.resize(t.Scroll.Width)
	s := t.Scroll.Scroll
	high, top := s.Size().Height, s.Offset.Y
	anchor := t.anchorAt(top, high)
	for range 6 {
		if t.Stick {
			top = max(t.Tall()-high, 0)
			anchor = len(t.Rows)
		}
		shift, changed := t.measure(top, high, anchor)
		if !t.Stick {
			top += shift
		}
		if shift == 0 && !changed {
			break
		}
	}
	top = max(min(top, t.Tall()-high), 0)
	t.place(top, high)
	t.ScrollTo(top)
	t.float()
}

// anchorAt is the row that is not to move: the first in sight whose height is
// known. What comes into sight above it is as high as it is.
func (t *Transcript) anchorAt(top, high float32) int {
	first := t.Heights.At(top - t.Headroom())
	for i := first; i < len(t.Rows) && t.Heights.Before(i)+t.Headroom() < top+high; i++ {
		if t.Rows[i].Block != nil && t.Rows[i].measured {
			return i
		}
	}
	return first
}

// measure makes what is in sight and takes its heights. It returns how far the
// row called anchor has moved down, and whether any height is new.
func (t *Transcript) measure(top, high float32, anchor int) (shift float32, changed bool) {
	first := t.Heights.At(top - t.Headroom() - overscan)
	y := t.Heights.Before(first) + t.Headroom()
	for i := first; i < len(t.Rows) && y < top+high+overscan; i++ {
		b := t.Make(i)
		was, h := t.Heights.Each[i], float32(0)
		if part, ok := b.(stretch); ok {
			var inner float32
			h, inner = part.Reveal(top-overscan-y, top+high+overscan-y, max(top-y, 0), t.width)
			if i == anchor {
				shift += inner
			}
			t.Rows[i].placed = t.Rows[i].placed && h+rowGap == was
		} else if t.Rows[i].measured {
			h = was - rowGap
		} else {
			h = kit.HeightOf(b.Object(), t.width)
			t.Rows[i].placed = false
		}
		t.Rows[i].measured = true
		if d := h + rowGap - was; d != 0 {
			t.Heights.Set(i, h+rowGap)
			changed = true
			if i < anchor {
				shift += d
			}
		}
		y += h + rowGap
	}
	return shift, changed
}

// Make is the block of a row, made if it does not exist yet.
func (t *Transcript) Make(i int) block {
	r := &t.Rows[i]
	if ends := t.ends(i); r.Block == nil || ends != r.ends {
		r.ends = ends
		if r.Block == nil {
			r.Block = t.block(i, t.Items[i])
			r.measured, r.placed = false, false
			t.tint(i)
		}
	}
	return r.Block
}

// place puts the rows that are in sight where they belong, and lets go of others.
func (t *Transcript) place(top, high float32) {
	first := t.Heights.At(top - t.Headroom() - overscan)
	objects := append(t.List.Objects[:0:0], t.invalid, t.events, t.Ring)
	t.Ring.Hidden = true
	x := float32(int((t.Scroll.Width - t.width) / 2))
	y := t.Heights.Before(first) + t.Headroom()
	last := first
	for ; last < len(t.Rows) && y < top+high+overscan; last++ {
		r := &t.Rows[last]
		if r.Block == nil {
			break
		}
		o, h := r.Block.Object(), t.Heights.Each[last]-rowGap
		if r.placed {
			o.Move(fyne.NewPos(x, y))
		} else {
			kit.Place(o, x, y, t.width, h)
			r.placed = true
		}
		objects = append(objects, o)
		t.encircle(last, x, y, h)
		y += h + rowGap
	}
	if !kit.SameObjects(objects, t.List.Objects) {
		t.forget(first, last)
		t.List.Objects = objects
		t.repaint()
	}
	t.events.Resize(fyne.NewSize(t.Scroll.Width, max(t.Tall(), high)))
}

// sees reports whether a row's object is in sight, or about to be.
func (t *Transcript) sees(o fyne.CanvasObject) bool { return slices.Contains(t.List.Objects, o) }

// forget lets go of the rows that were in sight and are not any more.
func (t *Transcript) forget(first, last int) {
	for i := t.Made[0]; i < min(t.Made[1], len(t.Rows)); i++ {
		if i >= first && i < last || t.Rows[i].Block == nil {
			continue
		}
		if k, ok := t.Rows[i].Block.(lasting); ok && k.keep() {
			continue
		}
		t.drop(i)
	}
	t.Made = [2]int{first, last}
}

// ScrollTo takes the scroller where top is, with all that has changed.
func (t *Transcript) ScrollTo(top float32) {
	s := t.Scroll.Scroll
	if high := max(t.Tall(), s.Size().Height); t.List.Size().Height != high || t.List.Size().Width != t.Scroll.Width {
		t.List.Resize(fyne.NewSize(t.Scroll.Width, high))
		s.Offset.Y = top
		// Refreshing the scroller would refresh everything in it. A change of its
		// size makes it look at its content's size and at its bars, and no more.
		s.Resize(s.Size().AddWidthHeight(0, 1))
		s.Resize(s.Size().AddWidthHeight(0, -1))
	}
	if s.Offset.Y != top {
		s.ScrollToOffset(fyne.NewPos(0, top))
	}
}

// estimate guesses how high an item is, with the gap under it.
func (t *Transcript) estimate(item view.Item) float32 {
	grown := 1 + t.Grow/14
	switch item := item.(type) {
	case view.User:
		return guess(item.Text, t.width*0.8, 22*grown) + 18 + footHeight/2 + rowGap
	case view.Answer:
		return guess(item.Text, t.width, 24*grown) + footHeight + rowGap
	case view.Thought:
		return 24 + rowGap
	case view.Card:
		return 48 + rowGap
	}
	return 60 + rowGap
}

// guess is about how high text is at a width.
func guess(text string, width, leading float32) float32 {
	if width <= 0 {
		width = Readable
	}
	return (float32(strings.Count(text, "\n")) + 1 + float32(len(text))*7/width) * leading
}

// ends reports whether nothing of the turn of an item follows it.
func (t *Transcript) ends(i int) bool {
	if i+1 == len(t.Items) {
		return !t.Live
	}
	switch t.Items[i+1].(type) {
	case view.Answer, view.Thought, view.Card:
		return false
	}
	return true
}
