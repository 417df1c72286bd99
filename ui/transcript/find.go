package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/textview"
	"goated/ui/view"
)

// A findBar searches the conversation. It searches all items, including those that are not
// visible, outside the UI goroutine.
type findBar struct {
	t     *Transcript
	bar   *fyne.Container // nil before the first use
	Query *kit.Input
	count *kit.Label
	open  bool

	searched string // the query that produced hits
	hits     []hit
	here     int   // the index of the current hit
	shown    *Card // the card that marks the current hit; nil if there is none
	going    bool
	began    int // the first item that was visible when the bar opened; the search starts there
	stale    int // the first item that has changed since the last search
	again    time.Time
}

// A hit is one match of the query.
type hit struct {
	TextPos
	to    int
	place view.Place // for a hit in a card, which has no text views
}

// barHeight is the height of the area that the bar covers.
const barHeight = 40

// findPause is the minimal time between two searches of a growing conversation.
const findPause = 200 * time.Millisecond

// maxHits limits the number of matches.
const maxHits = 2000

// marks returns the marks for the matches in a text view.
func (f *findBar) marks(item, part int) []textview.Mark {
	if !f.open {
		return nil
	}
	var out []textview.Mark
	for i, h := range f.hits {
		if h.Item == item && h.Part == part {
			color := kit.ColorFound
			if i == f.here {
				color = kit.ColorHere
			}
			out = append(out, textview.Mark{From: h.At, To: h.to, Color: color})
		}
	}
	return out
}

// isCurrent reports whether the current match is in an item.
func (f *findBar) isCurrent(item int) bool {
	return f.here < len(f.hits) && f.hits[f.here].Item == item
}

// Open opens the bar, or focuses it if it is open.
func (f *findBar) Open() {
	if f.bar == nil {
		f.build()
	}
	if !f.open {
		f.began = f.t.View.Heights.At(f.t.View.Scroll.Scroll.Offset.Y - f.t.View.headroom())
		f.open, f.bar.Hidden = true, false
		f.t.View.shiftRows(barHeight)
	}
	f.t.Overlay.update()
	kit.Focus(f.Query)
	f.Query.TypedShortcut(&fyne.ShortcutSelectAll{})
	f.search()
}

// shiftRows keeps the visible rows in place after all rows moved down by d.
func (v *viewport) shiftRows(d float32) {
	if y := v.Scroll.Scroll.Offset.Y; !v.Stick && y > 0 {
		v.GoTo(y + d)
		return
	}
	v.Arrange()
}

func (f *findBar) build() {
	f.Query = kit.NewInput(f.t.clock, "Find in this conversation", false)
	f.Query.Bare = true
	f.Query.OnTyped = f.search
	f.Query.OnSubmit = func() {
		if f.Query.Shift {
			f.step(-1)
		} else {
			f.step(1)
		}
	}
	f.count = kit.NewLabel("", 12, kit.ColorMuted)
	f.count.Right = true
	line := kit.Horizontal(2, f.Query, kit.Sized(15, 15, kit.NewIcon("search", 15, kit.ColorFaint)), f.Query, kit.Sized(84, 28, f.count),
		kit.Sized(4, 1, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)),
		kit.NewButton(kit.Ghost, "chevron-up", "", func() { f.step(-1) }).Small(),
		kit.NewButton(kit.Ghost, "chevron-down", "", func() { f.step(1) }).Small(),
		kit.NewButton(kit.Ghost, "close", "", func() { f.Close() }).Small())
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	ground.Shadow = true
	f.bar = container.New(kit.Margin{}, ground, kit.Inset(kit.Margin{Top: 2, Right: 8, Bottom: 2, Left: 12}, line))
	f.t.Overlay.root.Objects = append(f.t.Overlay.root.Objects, f.bar)
}

// Close closes the bar and reports whether it was open.
func (f *findBar) Close() bool {
	if !f.open {
		return false
	}
	f.open, f.bar.Hidden = false, true
	f.hits, f.searched = nil, ""
	f.unmark()
	f.t.View.shiftRows(-barHeight)
	if c := kit.CanvasOf(f.bar); c != nil && c.Focused() == fyne.Focusable(f.Query) {
		c.Unfocus()
	}
	f.t.redraw()
	return true
}

// search searches for the query in the bar. While a search runs, only the newest query waits.
func (f *findBar) search() {
	query := strings.TrimSpace(f.Query.Text)
	if f.going || query == f.searched {
		f.showCount()
		return
	}
	f.going = true
	items := withServerNames(f.t, f.t.View.Items)
	var hits []hit
	f.t.run(func() { hits = search(items, query) }, func() {
		f.going = false
		if !f.open {
			return
		}
		f.searched, f.hits, f.here = query, hits, 0
		f.stale = len(items)
		for i, h := range hits {
			if h.Item >= f.began {
				f.here = i
				break
			}
		}
		f.showCount()
		f.reveal()
		f.search()
	})
}

// searchAgain searches again from an item on. The current match stays the current one.
func (f *findBar) searchAgain(from int) {
	f.stale = min(f.stale, from)
	now := f.t.Actions.clock()
	if !f.open || f.searched == "" || f.going || f.stale >= len(f.t.View.Items) && len(f.hits) == 0 || f.t.View.Live && now.Sub(f.again) < findPause {
		return
	}
	f.going, f.again = true, now
	from, query := min(f.stale, len(f.t.View.Items)), f.searched
	items := withServerNames(f.t, f.t.View.Items[from:])
	f.stale = from + len(items)
	var fresh []hit
	f.t.run(func() { fresh = search(items, query) }, func() {
		f.going = false
		if !f.open || f.searched != query {
			f.search()
			return
		}
		n := 0
		for n < len(f.hits) && f.hits[n].Item < from {
			n++
		}
		f.hits = slices.Clip(f.hits[:n])
		for _, h := range fresh {
			if h.Item += from; len(f.hits) < maxHits {
				f.hits = append(f.hits, h)
			}
		}
		f.here = max(min(f.here, len(f.hits)-1), 0)
		f.showCount()
		f.t.redraw()
		if f.stale < len(f.t.View.Items) {
			f.searchAgain(f.stale)
		}
		f.search()
	})
}

// showCount shows the number of matches.
func (f *findBar) showCount() {
	switch {
	case f.searched == "":
		f.count.Set("")
	case len(f.hits) == 0:
		f.count.Set("Nothing found")
	case len(f.hits) == maxHits:
		f.count.Set(fmt.Sprintf("%d of %d+", f.here+1, maxHits))
	default:
		f.count.Set(fmt.Sprintf("%d of %d", f.here+1, len(f.hits)))
	}
}

// step moves to the next match (1) or the previous match (-1) and wraps around at the ends.
func (f *findBar) step(by int) {
	if n := len(f.hits); n > 0 {
		f.here = (f.here + by + n) % n
		f.showCount()
		f.reveal()
	}
}

// reveal scrolls to the current match.
func (f *findBar) reveal() {
	f.unmark()
	if f.here < len(f.hits) {
		f.show(f.hits[f.here])
	}
	f.t.redraw()
}

// show scrolls to a hit. If the hit is in a card, the card marks it.
func (f *findBar) show(h hit) {
	v := &f.t.View
	v.scrollToPos(h.TextPos)
	if h.Item >= len(v.Rows) {
		return
	}
	c, ok := v.Make(h.Item).(*Card)
	if !ok {
		return
	}
	f.shown = c
	// The height of the card's row is an estimate until the card exists.
	for range 2 {
		down := c.reveal(h.place)
		v.scrollIntoView(blockTop(v, h.Item) + down)
	}
}

// unmark removes the mark of the current hit in a card.
func (f *findBar) unmark() {
	if f.shown != nil {
		f.shown.unmark()
		f.shown = nil
	}
}

// scrollToPos scrolls until a text position is in the upper half of the visible part.
func (v *viewport) scrollToPos(s TextPos) {
	if s.Item >= len(v.Rows) {
		return
	}
	v.Stick = false
	v.Rows[s.Item].openGroup()
	openMatch(v.Make(s.Item), s.At)
	// The heights of the rows in between are estimates; repeat once the rows exist.
	for range 4 {
		y := blockTop(v, s.Item)
		v.Make(s.Item)
		if a, ok := v.Rows[s.Item].Block.(*Answer); ok {
			y += a.Heights.Before(s.Part)
			if p := a.TextViews[s.Part]; p != nil {
				y += p.LineAt(s.At)
			}
		} else if b, ok := v.Rows[s.Item].Block.(*Bubble); ok {
			y += b.Text.LineAt(s.At)
		} else if b, ok := v.Rows[s.Item].Block.(*thought); ok {
			y += 28 + b.text.LineAt(s.At)
		} else if b, ok := v.Rows[s.Item].Block.(*summary); ok {
			y += 46 + b.text.LineAt(s.At)
		}
		if !v.scrollIntoView(y) {
			return
		}
	}
}

// blockTop returns where the block of a row begins in the list. In an open group, the first block
// is below the group's line.
func blockTop(v *viewport, i int) float32 {
	_, down := v.Rows[i].inset(i)
	return v.Heights.Before(i) + v.headroom() + down
}

// scrollIntoView scrolls until a place in the list is visible. It reports whether it scrolled.
func (v *viewport) scrollIntoView(y float32) bool {
	scroll := v.Scroll.Scroll
	before, high := scroll.Offset.Y, scroll.Size().Height
	if y <= before+barHeight+20 || y >= before+high-60 {
		v.GoTo(y - high/3)
	}
	return scroll.Offset.Y != before
}

// openMatch opens the message, thought, summary or card that contains the match at character at.
func openMatch(b block, at int) {
	switch b := b.(type) {
	case *Bubble:
		b.fold.reveal(at)
	case *queued:
		b.fold.reveal(at)
	case *thought:
		if !b.open {
			b.toggle()
		}
	case *summary:
		if !b.open {
			b.toggle()
		}
	case *Card:
		if !b.Open {
			b.Toggle()
		}
	}
}
