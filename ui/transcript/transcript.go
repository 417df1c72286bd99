package transcript

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

// Readable is the widest that text is set.
const Readable = 760

// The room around the messages, and how far out of sight they exist.
const (
	rowGap   = 16
	edgeGap  = 26
	sideGap  = 28
	overscan = 200
)

// A Transcript shows one [view.Chat]. Only what is in sight exists of it: the
// rest is a height, guessed until it has been seen.
type Transcript struct {
	Root    *fyne.Container
	List    *fyne.Container // the rows that exist
	Scroll  *kit.Scroller
	empty   *fyne.Container // what an empty conversation shows
	over    *fyne.Container // what floats above the rows
	clock   *kit.Clock
	gauge   *kit.WordMeasure
	events  *eventLayer
	invalid *canvas.Rectangle // refreshed so that the window is painted again

	Items   []view.Item
	Rows    []entry
	Heights kit.Heights // of the rows, each with the gap under it
	width   float32     // that rows are set for
	Grow    float32     // how much larger than usual its letters are
	Stick   bool        // the user is at the bottom and wants to stay there
	Live    bool        // a turn is under way: the last item may still grow
	busy    bool        // rows are being arranged
	Made    [2]int      // the first row that exists and the one after the last
	pointed string      // the link under the pointer
	hovered int         // the item under the pointer

	selection
	keyboardSelect
	findState
	colours
	pictures
	overlay
	signalState
	previews map[*byte]image.Image // previews of what was attached, by its first byte; nil: there can be none

	Actions CardActions // of the cards

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
	Block    block
	measured bool // its height is what it is, not what it may be
	placed   bool // and it is laid out as high as that
	ends     bool // nothing of the same turn follows it
}

// A block draws one item of the chat.
type block interface {
	Object() fyne.CanvasObject
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

func (c *Card) keep() bool { return c.Open || c.Halo.beat != nil || c.Item.Open() }

func New(c *kit.Clock) *Transcript {
	t := &Transcript{clock: c, Stick: true, gauge: kit.NewWordMeasure(), hovered: -1, previews: map[*byte]image.Image{}}
	t.colours, t.pictures = newColours(), newPictures()
	t.events = newEventLayer(t)
	t.invalid = canvas.NewRectangle(color.Transparent)
	t.Ring = kit.NewPanel(kit.ColorNone, kit.ColorAccent, 14)
	t.Ring.Bold = true
	t.Ring.Hide()
	t.List = container.New(rowLayout{t}, t.invalid, t.events, t.Ring)
	t.Scroll = &kit.Scroller{Inner: t.List, Scroll: container.NewVScroll(t.List)}
	t.Scroll.Root = container.New(sightLayout{t}, t.Scroll.Scroll)
	t.Scroll.Scroll.OnScrolled = func(fyne.Position) {
		if t.busy {
			return
		}
		t.Stick = t.Scroll.AtBottom()
		t.Arrange()
		if t.OnScrolled != nil {
			t.OnScrolled()
		}
	}
	t.empty = t.greeting()
	t.over = container.New(overlayLayout{t})
	t.float()
	t.Root = container.New(kit.Margin{}, t.Scroll.Root, t.empty, t.over)
	return t
}

// Show draws chat.
func (t *Transcript) Show(chat view.Chat) {
	same := min(len(chat.Items), len(t.Items))
	changed := same
	for i := range same {
		if chat.Items[i] != t.Items[i] {
			changed = min(changed, i)
			t.change(i, chat.Items[i])
		}
	}
	t.Items = slices.Clone(chat.Items)
	if len(chat.Items) < len(t.Rows) {
		t.cut(len(chat.Items))
	}
	if n := len(t.Rows); n > 0 {
		t.Rows[n-1].measured = false // it may have been the last
	}
	for i := len(t.Rows); i < len(chat.Items); i++ {
		t.Rows = append(t.Rows, entry{})
		t.Heights.Add(t.estimate(chat.Items[i]))
	}
	t.empty.Hidden = len(chat.Items) > 0
	t.Arrange()
	t.repaint()
	t.renew(changed)
}

// change shows another item in the place of one.
func (t *Transcript) change(i int, item view.Item) {
	r := &t.Rows[i]
	if r.Block != nil && !r.Block.update(item) {
		t.drop(i)
	}
	if r.Block == nil {
		t.Heights.Set(i, t.estimate(item))
	}
	r.measured, r.placed = false, false
	if i > 0 {
		t.Rows[i-1].measured = false
	}
}

// Reset forgets what is drawn, to show another chat.
func (t *Transcript) Reset() {
	t.cut(0)
	t.Items, t.Stick, t.hovered = nil, true, -1
	t.Deselect()
	t.leave()
	t.unsignal()
	t.CloseFind()
}

// Enlarge sets the text in letters that are by larger than usual. What the user
// looks at stays in sight.
func (t *Transcript) Enlarge(by float32) {
	if t.Grow == by {
		return
	}
	t.Grow = by
	top := t.Scroll.Scroll.Offset.Y - t.Headroom()
	first, part := t.Heights.At(top), float32(0)
	if first < t.Heights.Len() {
		part = (top - t.Heights.Before(first)) / t.Heights.Each[first]
	}
	for i := range t.Rows {
		if k, ok := t.Rows[i].Block.(lasting); ok && k.keep() {
			continue // of a card, which has no text of that kind
		}
		t.drop(i)
		t.Heights.Set(i, t.estimate(t.Items[i]))
	}
	t.List.Objects = nil
	if first < t.Heights.Len() {
		t.ScrollTo(t.Heights.Before(first) + part*t.Heights.Each[first] + t.Headroom())
	}
	t.Arrange()
	t.repaint()
}

func (t *Transcript) cut(n int) {
	for i := n; i < len(t.Rows); i++ {
		t.drop(i)
	}
	t.Rows = t.Rows[:n:n]
	t.Heights.Cut(n)
	t.Items = t.Items[:min(n, len(t.Items))]
}

// drop lets the block of a row go.
func (t *Transcript) drop(i int) {
	if c, ok := t.Rows[i].Block.(*Card); ok {
		c.spin.Turn(false)
	}
	t.Rows[i] = entry{}
}

// refit lays out anew after something changed its height.
func (t *Transcript) refit() {
	for i := range t.Rows {
		if t.Rows[i].Block != nil {
			t.Rows[i].measured = false
		}
	}
	t.Arrange()
	t.repaint()
}

// repaint has the window painted again, without making anything in it anew.
func (t *Transcript) repaint() { canvas.Refresh(t.invalid) }

// run does f beside the UI goroutine and then done on it.
func (t *Transcript) run(f, done func()) {
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

func (t *Transcript) copy(text string) {
	if t.OnCopy != nil {
		t.OnCopy(text)
	}
}

func (t *Transcript) open(address string) {
	if t.OnLink != nil {
		t.OnLink(address)
		return
	}
	openPage(address)
}
