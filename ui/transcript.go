package ui

import (
	"image"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

// readable is the widest that text is set.
const readable = 760

// The room around the messages, and how far out of sight they exist.
const (
	rowGap   = 16
	edgeGap  = 26
	sideGap  = 28
	overscan = 200
)

// A transcript shows one [view.Chat]. Only what is in sight exists of it: the
// rest is a height, guessed until it has been seen.
type transcript struct {
	root   *fyne.Container
	list   *fyne.Container // the rows that exist
	scroll *kit.Scroller
	empty  *fyne.Container // what an empty conversation shows
	over   *fyne.Container // what floats above the rows
	clock  *kit.Clock
	gauge  *kit.WordMeasure
	ground *ground
	pulse  *canvas.Rectangle // refreshed so that the window is painted again

	items   []view.Item
	rows    []entry
	heights kit.Heights // of the rows, each with the gap under it
	width   float32     // that rows are set for
	grow    float32     // how much larger than usual its letters are
	stick   bool        // the user is at the bottom and wants to stay there
	live    bool        // a turn is under way: the last item may still grow
	busy    bool        // rows are being arranged
	made    [2]int      // the first row that exists and the one after the last
	pointed string      // the link under the pointer
	hovered int         // the item under the pointer

	selection
	choosing
	finding
	colours
	pictures
	floating
	signalling
	previews map[*byte]image.Image // previews of what was attached, by its first byte; nil: there can be none

	errands errands // of the cards

	OnCopy    func(text string)
	OnRetry   func()
	OnExample func(text string)
	// Of these, what is nil is not offered. The index is the item's in the chat.
	OnEdit       func(index int) // of a message of the user
	OnRegenerate func(index int) // of an answer
	OnDelete     func(index int)
	OnVersion    func(index, by int) // wants the version before or after to be shown
	OnScrolled   func()              // what is in sight is other than before, by the user
	// Versions says which version of how many an item is; Deletes what deleting it
	// takes away, in words, or nothing where it can't be.
	Versions func(index int) (at, of int)
	Deletes  func(index int) string
	// OnLink is asked to open an address that the user pressed: http, https or
	// mailto, never another. nil opens it in the system's browser.
	OnLink func(address string)
	// Begin runs work beside the UI goroutine; nil runs it at once.
	Begin func(func())
}

// An entry is an item in its place. Its block is nil while it is out of sight.
type entry struct {
	block    block
	measured bool // its height is what it is, not what it may be
	placed   bool // and it is laid out as high as that
	ends     bool // nothing of the same turn follows it
}

// A block draws one item of the chat.
type block interface {
	object() fyne.CanvasObject
	update(item view.Item) bool // false if the item is of another kind
}

// A stretch is a block of which only a part exists, because it may be very long.
// reveal makes what lies between from and to, below its own top, and returns its
// height, and how far what lies at anchor has moved down by what is known now.
type stretch interface {
	Reveal(from, to, anchor, width float32) (height, shift float32)
}

// A lasting block is one with a state of its own, such as being open. It is not
// forgotten when it is out of sight.
type lasting interface{ keep() bool }

func (c *card) keep() bool { return c.open || c.halo.beat != nil || c.item.Open() }

func newTranscript(c *kit.Clock) *transcript {
	t := &transcript{clock: c, stick: true, gauge: kit.NewWordMeasure(), hovered: -1, previews: map[*byte]image.Image{}}
	t.colours, t.pictures = newColours(), newPictures()
	t.ground = newGround(t)
	t.pulse = canvas.NewRectangle(color.Transparent)
	t.ring = kit.NewPanel(kit.ColorNone, kit.ColorAccent, 14)
	t.ring.Bold = true
	t.ring.Hide()
	t.list = container.New(rowLayout{t}, t.pulse, t.ground, t.ring)
	t.scroll = &kit.Scroller{Inner: t.list, Scroll: container.NewVScroll(t.list)}
	t.scroll.Root = container.New(sightLayout{t}, t.scroll.Scroll)
	t.scroll.Scroll.OnScrolled = func(fyne.Position) {
		if t.busy {
			return
		}
		t.stick = t.scroll.AtBottom()
		t.arrange()
		if t.OnScrolled != nil {
			t.OnScrolled()
		}
	}
	t.empty = t.greeting()
	t.over = container.New(floatLayout{t})
	t.float()
	t.root = container.New(kit.Margin{}, t.scroll.Root, t.empty, t.over)
	return t
}

// show draws chat.
func (t *transcript) show(chat view.Chat) {
	same := min(len(chat.Items), len(t.items))
	changed := same
	for i := range same {
		if chat.Items[i] != t.items[i] {
			changed = min(changed, i)
			t.change(i, chat.Items[i])
		}
	}
	t.items = slices.Clone(chat.Items)
	if len(chat.Items) < len(t.rows) {
		t.cut(len(chat.Items))
	}
	if n := len(t.rows); n > 0 {
		t.rows[n-1].measured = false // it may have been the last
	}
	for i := len(t.rows); i < len(chat.Items); i++ {
		t.rows = append(t.rows, entry{})
		t.heights.Add(t.estimate(chat.Items[i]))
	}
	t.empty.Hidden = len(chat.Items) > 0
	t.arrange()
	t.repaint()
	t.renew(changed)
}

// change shows another item in the place of one.
func (t *transcript) change(i int, item view.Item) {
	r := &t.rows[i]
	if r.block != nil && !r.block.update(item) {
		t.drop(i)
	}
	if r.block == nil {
		t.heights.Set(i, t.estimate(item))
	}
	r.measured, r.placed = false, false
	if i > 0 {
		t.rows[i-1].measured = false
	}
}

// reset forgets what is drawn, to show another chat.
func (t *transcript) reset() {
	t.cut(0)
	t.items, t.stick, t.hovered = nil, true, -1
	t.deselect()
	t.leave()
	t.unsignal()
	t.closeFind()
}

// enlarge sets the text in letters that are by larger than usual. What the user
// looks at stays in sight.
func (t *transcript) enlarge(by float32) {
	if t.grow == by {
		return
	}
	t.grow = by
	top := t.scroll.Scroll.Offset.Y - t.headroom()
	first, part := t.heights.At(top), float32(0)
	if first < t.heights.Len() {
		part = (top - t.heights.Before(first)) / t.heights.Each[first]
	}
	for i := range t.rows {
		if k, ok := t.rows[i].block.(lasting); ok && k.keep() {
			continue // of a card, which has no text of that kind
		}
		t.drop(i)
		t.heights.Set(i, t.estimate(t.items[i]))
	}
	t.list.Objects = nil
	if first < t.heights.Len() {
		t.scrollTo(t.heights.Before(first) + part*t.heights.Each[first] + t.headroom())
	}
	t.arrange()
	t.repaint()
}

func (t *transcript) cut(n int) {
	for i := n; i < len(t.rows); i++ {
		t.drop(i)
	}
	t.rows = t.rows[:n:n]
	t.heights.Cut(n)
	t.items = t.items[:min(n, len(t.items))]
}

// drop lets the block of a row go.
func (t *transcript) drop(i int) {
	if c, ok := t.rows[i].block.(*card); ok {
		c.spin.Turn(false)
	}
	t.rows[i] = entry{}
}

// refit lays out anew after something changed its height.
func (t *transcript) refit() {
	for i := range t.rows {
		if t.rows[i].block != nil {
			t.rows[i].measured = false
		}
	}
	t.arrange()
	t.repaint()
}

// repaint has the window painted again, without making anything in it anew.
func (t *transcript) repaint() { canvas.Refresh(t.pulse) }

// run does f beside the UI goroutine and then done on it.
func (t *transcript) run(f, done func()) {
	if t.Begin == nil {
		f()
		done()
		return
	}
	t.Begin(func() {
		f()
		t.clock.Post(done)
	})
}

func (t *transcript) copy(text string) {
	if t.OnCopy != nil {
		t.OnCopy(text)
	}
}

func (t *transcript) open(address string) {
	if t.OnLink != nil {
		t.OnLink(address)
		return
	}
	openPage(address)
}
