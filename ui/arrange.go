package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

// rowLayout is that of the list of rows. Where they are is decided by arrange,
// which knows what is in sight.
type rowLayout struct{ t *transcript }

func (l rowLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.t.arrange() }

func (l rowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.t.tall()) }

// sightLayout is that of the region in which the rows are seen.
type sightLayout struct{ t *transcript }

func (l sightLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.t.scroll.Width = size.Width
	objects[0].Resize(size)
	l.t.arrange()
}

func (l sightLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }

// headroom is the room above the first row: the bar of a search has a place
// there too, so that it hides nothing that is found.
func (t *transcript) headroom() float32 {
	if t.finds {
		return edgeGap + barHeight
	}
	return edgeGap
}

// tall is the height of everything.
func (t *transcript) tall() float32 { return t.heights.Total() + t.headroom() + edgeGap - rowGap }

// resize takes another width. What is not in sight is guessed anew.
func (t *transcript) resize(width float32) {
	w := kit.MaxWidth{Width: readable, Edge: sideGap}.Fit(width)
	if w == t.width {
		return
	}
	t.width = w
	for i := range t.rows {
		t.rows[i].measured, t.rows[i].placed = false, false
		if t.rows[i].block == nil {
			t.heights.Set(i, t.estimate(t.items[i]))
		}
	}
}

// arrange makes and places what is in sight. What turns out to be higher or
// lower than it was thought to be doesn't move what the user looks at: that is
// the row at the top, or the bottom if the user is there.
func (t *transcript) arrange() {
	if t.busy || t.scroll.Width == 0 {
		return
	}
	t.busy = true
	defer func() { t.busy = false }()
	t.resize(t.scroll.Width)
	s := t.scroll.Scroll
	high, top := s.Size().Height, s.Offset.Y
	anchor := t.anchorAt(top, high)
	for range 6 {
		if t.stick {
			top = max(t.tall()-high, 0)
			anchor = len(t.rows)
		}
		shift, changed := t.measure(top, high, anchor)
		if !t.stick {
			top += shift
		}
		if shift == 0 && !changed {
			break
		}
	}
	top = max(min(top, t.tall()-high), 0)
	t.place(top, high)
	t.scrollTo(top)
	t.float()
}

// anchorAt is the row that is not to move: the first in sight whose height is
// known. What comes into sight above it is as high as it is.
func (t *transcript) anchorAt(top, high float32) int {
	first := t.heights.At(top - t.headroom())
	for i := first; i < len(t.rows) && t.heights.Before(i)+t.headroom() < top+high; i++ {
		if t.rows[i].block != nil && t.rows[i].measured {
			return i
		}
	}
	return first
}

// measure makes what is in sight and takes its heights. It returns how far the
// row called anchor has moved down, and whether any height is new.
func (t *transcript) measure(top, high float32, anchor int) (shift float32, changed bool) {
	first := t.heights.At(top - t.headroom() - overscan)
	y := t.heights.Before(first) + t.headroom()
	for i := first; i < len(t.rows) && y < top+high+overscan; i++ {
		b := t.make(i)
		was, h := t.heights.Each[i], float32(0)
		if part, ok := b.(stretch); ok {
			var inner float32
			h, inner = part.Reveal(top-overscan-y, top+high+overscan-y, max(top-y, 0), t.width)
			if i == anchor {
				shift += inner
			}
			t.rows[i].placed = t.rows[i].placed && h+rowGap == was
		} else if t.rows[i].measured {
			h = was - rowGap
		} else {
			h = kit.HeightOf(b.object(), t.width)
			t.rows[i].placed = false
		}
		t.rows[i].measured = true
		if d := h + rowGap - was; d != 0 {
			t.heights.Set(i, h+rowGap)
			changed = true
			if i < anchor {
				shift += d
			}
		}
		y += h + rowGap
	}
	return shift, changed
}

// make is the block of a row, made if it does not exist yet.
func (t *transcript) make(i int) block {
	r := &t.rows[i]
	if ends := t.ends(i); r.block == nil || ends != r.ends {
		r.ends = ends
		if r.block == nil {
			r.block = t.block(i, t.items[i])
			r.measured, r.placed = false, false
			t.tint(i)
		}
	}
	return r.block
}

// place puts the rows that are in sight where they belong, and lets go of others.
func (t *transcript) place(top, high float32) {
	first := t.heights.At(top - t.headroom() - overscan)
	objects := append(t.list.Objects[:0:0], t.pulse, t.ground, t.ring)
	t.ring.Hidden = true
	x := float32(int((t.scroll.Width - t.width) / 2))
	y := t.heights.Before(first) + t.headroom()
	last := first
	for ; last < len(t.rows) && y < top+high+overscan; last++ {
		r := &t.rows[last]
		if r.block == nil {
			break
		}
		o, h := r.block.object(), t.heights.Each[last]-rowGap
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
	if !kit.SameObjects(objects, t.list.Objects) {
		t.forget(first, last)
		t.list.Objects = objects
		t.repaint()
	}
	t.ground.Resize(fyne.NewSize(t.scroll.Width, max(t.tall(), high)))
}

// sees reports whether a row's object is in sight, or about to be.
func (t *transcript) sees(o fyne.CanvasObject) bool { return slices.Contains(t.list.Objects, o) }

// forget lets go of the rows that were in sight and are not any more.
func (t *transcript) forget(first, last int) {
	for i := t.made[0]; i < min(t.made[1], len(t.rows)); i++ {
		if i >= first && i < last || t.rows[i].block == nil {
			continue
		}
		if k, ok := t.rows[i].block.(lasting); ok && k.keep() {
			continue
		}
		t.drop(i)
	}
	t.made = [2]int{first, last}
}

// scrollTo takes the scroller where top is, with all that has changed.
func (t *transcript) scrollTo(top float32) {
	s := t.scroll.Scroll
	if high := max(t.tall(), s.Size().Height); t.list.Size().Height != high || t.list.Size().Width != t.scroll.Width {
		t.list.Resize(fyne.NewSize(t.scroll.Width, high))
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
func (t *transcript) estimate(item view.Item) float32 {
	grown := 1 + t.grow/14
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
		width = readable
	}
	return (float32(strings.Count(text, "\n")) + 1 + float32(len(text))*7/width) * leading
}

// ends reports whether nothing of the turn of an item follows it.
func (t *transcript) ends(i int) bool {
	if i+1 == len(t.items) {
		return !t.live
	}
	switch t.items[i+1].(type) {
	case view.Answer, view.Thought, view.Card:
		return false
	}
	return true
}
