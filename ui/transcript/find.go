package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A findState is a search in the conversation. It goes over all items, in sight or
// not, beside the UI goroutine.
type findState struct {
	bar   *fyne.Container // nil until it is first asked for
	Query *kit.Input
	count *kit.Label
	finds bool

	sought string // what hits are of
	hits   []hit
	here   int // the hit that is looked at
	going  bool
	began  int // the item at the top when the search began, from which it goes on
	stale  int // the first item that has changed since
	again  time.Time
}

// A hit is a place where the query stands.
type hit struct {
	Spot
	to int
}

// barHeight is how much of the view the bar takes.
const barHeight = 40

// findPause is how long a conversation that grows is not searched again.
const findPause = 200 * time.Millisecond

// mostHits bounds a search: nobody steps through more.
const mostHits = 2000

// marks are the grounds of what is found in a passage.
func (f *findState) marks(item, part int) []mark {
	if !f.finds {
		return nil
	}
	var out []mark
	for i, h := range f.hits {
		if h.Item == item && h.Part == part {
			color := kit.ColorFound
			if i == f.here {
				color = kit.ColorHere
			}
			out = append(out, mark{h.At, h.to, color})
		}
	}
	return out
}

// Find opens the bar, or goes back to it.
func (t *Transcript) Find() {
	if t.bar == nil {
		t.buildFind()
	}
	if !t.finds {
		t.began = t.Heights.At(t.Scroll.Scroll.Offset.Y - t.Headroom())
		t.finds, t.bar.Hidden = true, false
		t.moved(barHeight)
	}
	t.float()
	kit.Focus(t.Query)
	t.Query.TypedShortcut(&fyne.ShortcutSelectAll{})
	t.search()
}

// moved keeps what is in sight where it is, after all rows moved down by d.
func (t *Transcript) moved(d float32) {
	if y := t.Scroll.Scroll.Offset.Y; !t.Stick && y > 0 {
		t.GoTo(y + d)
		return
	}
	t.Arrange()
}

func (t *Transcript) buildFind() {
	t.Query = kit.NewInput(t.clock, "Find in this conversation", false)
	t.Query.Bare = true
	t.Query.OnTyped = t.search
	t.Query.OnSubmit = func() {
		if t.Query.Shift {
			t.step(-1)
		} else {
			t.step(1)
		}
	}
	t.count = kit.NewLabel("", 12, kit.ColorMuted)
	t.count.Right = true
	line := kit.Horizontal(2, t.Query, kit.Sized(15, 15, kit.NewIcon("search", 15, kit.ColorFaint)), t.Query, kit.Sized(84, 28, t.count),
		kit.Sized(4, 1, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)),
		kit.NewButton(kit.Ghost, "chevron-up", "", func() { t.step(-1) }).Small(),
		kit.NewButton(kit.Ghost, "chevron-down", "", func() { t.step(1) }).Small(),
		kit.NewButton(kit.Ghost, "close", "", func() { t.CloseFind() }).Small())
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	ground.Shadow = true
	t.bar = container.New(kit.Margin{}, ground, kit.Inset(kit.Margin{Top: 2, Right: 8, Bottom: 2, Left: 12}, line))
	t.over.Objects = append(t.over.Objects, t.bar)
}

// CloseFind closes the bar; it reports whether it was open.
func (t *Transcript) CloseFind() bool {
	if !t.finds {
		return false
	}
	t.finds, t.bar.Hidden = false, true
	t.hits, t.sought = nil, ""
	t.moved(-barHeight)
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.bar); c != nil && c.Focused() == fyne.Focusable(t.Query) {
		c.Unfocus()
	}
	t.redraw()
	return true
}

// search looks for what the bar says. While one search is under way another
// waits: only the newest matters.
func (t *Transcript) search() {
	query := strings.TrimSpace(t.Query.Text)
	if t.going || query == t.sought {
		t.say()
		return
	}
	t.going = true
	items := t.Items
	var hits []hit
	t.run(func() { hits = search(items, query) }, func() {
		t.going = false
		if !t.finds {
			return
		}
		t.sought, t.hits, t.here = query, hits, 0
		t.stale = len(items)
		for i, h := range hits {
			if h.Item >= t.began {
				t.here = i
				break
			}
		}
		t.say()
		t.look()
		t.search()
	})
}

// renew looks again in what has changed since: the items from one on. What is
// looked at stays that.
func (t *Transcript) renew(from int) {
	t.stale = min(t.stale, from)
	now := t.Actions.clock()
	if !t.finds || t.sought == "" || t.going || t.stale >= len(t.Items) && len(t.hits) == 0 || t.Live && now.Sub(t.again) < findPause {
		return
	}
	t.going, t.again = true, now
	from, items, query := min(t.stale, len(t.Items)), t.Items, t.sought
	t.stale = len(items)
	var fresh []hit
	t.run(func() { fresh = search(items[from:], query) }, func() {
		t.going = false
		if !t.finds || t.sought != query {
			t.search()
			return
		}
		n := 0
		for n < len(t.hits) && t.hits[n].Item < from {
			n++
		}
		t.hits = slices.Clip(t.hits[:n])
		for _, h := range fresh {
			if h.Item += from; len(t.hits) < mostHits {
				t.hits = append(t.hits, h)
			}
		}
		t.here = max(min(t.here, len(t.hits)-1), 0)
		t.say()
		t.redraw()
		if t.stale < len(t.Items) {
			t.renew(t.stale)
		}
		t.search()
	})
}

// say says how many there are.
func (t *Transcript) say() {
	switch {
	case t.sought == "":
		t.count.Set("")
	case len(t.hits) == 0:
		t.count.Set("Nothing found")
	case len(t.hits) == mostHits:
		t.count.Set(fmt.Sprintf("%d of %d+", t.here+1, mostHits))
	default:
		t.count.Set(fmt.Sprintf("%d of %d", t.here+1, len(t.hits)))
	}
}

// step goes to the next hit or the one before, round the end.
func (t *Transcript) step(by int) {
	if n := len(t.hits); n > 0 {
		t.here = (t.here + by + n) % n
		t.say()
		t.look()
	}
}

// look brings the present hit into sight.
func (t *Transcript) look() {
	if t.here < len(t.hits) {
		t.bring(t.hits[t.here].Spot)
	}
	t.redraw()
}

// bring scrolls until a spot is in the upper half of what is in sight.
func (t *Transcript) bring(s Spot) {
	if s.Item >= len(t.Rows) {
		return
	}
	t.Stick = false
	t.uncover(s.Item)
	scroll := t.Scroll.Scroll
	high := scroll.Size().Height
	// What lies between is guessed; once it exists, look again from there.
	for range 4 {
		y := t.Heights.Before(s.Item) + t.Headroom()
		t.Make(s.Item)
		if a, ok := t.Rows[s.Item].Block.(*Answer); ok {
			y += a.Heights.Before(s.Part)
			if p := a.Passages[s.Part]; p != nil {
				y += p.lineAt(s.At)
			}
		} else if b, ok := t.Rows[s.Item].Block.(*Bubble); ok {
			y += b.Text.lineAt(s.At)
		} else if b, ok := t.Rows[s.Item].Block.(*thought); ok {
			y += 28 + b.text.lineAt(s.At)
		}
		if y > scroll.Offset.Y+barHeight+20 && y < scroll.Offset.Y+high-60 {
			return
		}
		before := scroll.Offset.Y
		t.GoTo(y - high/3)
		if scroll.Offset.Y == before {
			return
		}
	}
}

// uncover opens the thought or the card in which something is found.
func (t *Transcript) uncover(item int) {
	switch b := t.Make(item).(type) {
	case *thought:
		if !b.open {
			b.toggle()
		}
	case *Card:
		if !b.Open {
			b.Toggle()
		}
		b.Halo.Light(kit.ColorHere)
	}
}

// lineAt is how far down the line of a character is.
func (p *TextView) lineAt(at int) float32 {
	for _, l := range p.Set.Lines {
		if at >= l.At+l.Line.At && at < l.At+l.End {
			return l.Y
		}
	}
	return 0
}
