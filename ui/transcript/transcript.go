package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/textview"
	"goated/ui/view"
)

// MaxTextWidth is the maximal width of the text column.
const MaxTextWidth = 760

// The margins of the messages, and the overscan: how far outside the visible part rows exist.
const (
	rowGap   = 16
	edgeGap  = 26
	sideGap  = 28
	overscan = 200
)

// A Transcript shows one [view.Chat]. Its methods belong to the UI goroutine. Each part has its
// own state and a pointer to the transcript.
type Transcript struct {
	Root  *fyne.Container
	empty *fyne.Container // shows the greeting of an empty conversation
	clock *kit.Clock

	View      viewport
	Selection selection
	Keyboard  keyboardSelect
	Find      findBar
	Flashes   flashMarks
	Overlay   overlay
	Text      *textview.Host // shared by the text views
	previews  previews

	Actions CardActions // called by the cards
	On      Handlers
	// Begin runs work outside the UI goroutine. If it is nil, the work runs synchronously.
	Begin func(func())
}

// ContextHandlers receive the user's actions on the model and its context.
type ContextHandlers struct {
	Model func()          // the user wants to choose another model
	Key   func()          // the user wants to see the key of the model
	Undo  func(index int) // undoes a summary
}

// Handlers receive the actions of the user. A nil handler hides its action. An index is the
// item's index in the chat.
type Handlers struct {
	Copy       func(text string)
	Retry      func()
	Context    ContextHandlers
	Example    func(text string)
	Edit       func(index int) // edits a message of the user
	Regenerate func(index int) // asks for another answer
	Delete     func(index int)
	Queue      QueueHandlers       // for messages that wait
	Typed      func(r rune)        // a character that nothing in the transcript handles
	Version    func(index, by int) // shows the previous (-1) or the next (+1) version
	Scrolled   func()              // the user scrolled
	// Link opens an address that the user pressed. Its scheme is http, https or mailto.
	Link func(address string)
	// Question draws the open question with an id. It returns nil if the question is closed.
	Question func(id int) fyne.CanvasObject
	// Versions returns the index of the shown version of an item, from 0, and the number of
	// versions.
	Versions func(index int) (at, of int)
	// Deletes returns the text of the menu item that deletes an item, or "" if the item cannot be
	// deleted.
	Deletes func(index int) string
}

// An entry is the row of an item. Its block is nil while the row is not visible.
type entry struct {
	Block    block
	measured bool // its height is exact
	placed   bool // its block is resized to that height
	group    *group
}

// A block draws one item of the chat.
type block interface {
	Object() fyne.CanvasObject
	update(item view.Item) bool // returns false if the item is of another kind
}

// A longBlock is a block that may be very long, so only a part of it exists. Reveal creates the
// part between from and to, measured from the top of the block. It returns the height of the
// block, and how far the content at anchor moved down because heights became exact.
type longBlock interface {
	Reveal(from, to, anchor, width float32) (height, shift float32)
}

// A statefulBlock has its own state, for example whether it is open. The viewport keeps it while
// it is not visible.
type statefulBlock interface{ keepsState() bool }

func (c *Card) keepsState() bool { return c.Open || c.Flash.beat != nil || c.Item.Open() }

// New returns an empty transcript.
func New(c *kit.Clock) *Transcript {
	t := &Transcript{clock: c}
	t.previews = make(previews)
	t.Selection, t.Keyboard, t.Find, t.Flashes = selection{t: t}, newKeyboardSelect(t), findBar{t: t}, flashMarks{t: t}
	t.Selection.events = newEventLayer(t)
	t.View = newViewport(t)
	t.Overlay = newOverlay(t)
	t.Text = newTextHost(t)
	t.empty = container.New(kit.Margin{})
	t.Root = container.New(kit.Margin{}, t.View.Scroll.Root, t.empty, t.Overlay.root)
	return t
}

// Show draws chat.
func (t *Transcript) Show(chat view.Chat) {
	v, list := &t.View, chat.Items()
	changed, calls := changes(v.Items, list)
	at, top, focus := place{}, v.Scroll.Scroll.Offset.Y, rowFocus{row: -1}
	if calls >= 0 {
		focus = focusFrom(v, calls)
		if !v.Stick {
			at = topPlace(v, top)
		}
	}
	for i := changed; i < min(len(list), len(v.Items)); i++ {
		if list[i] != v.Items[i] {
			v.change(i, list[i])
		}
	}
	v.Items = list
	if len(list) < len(v.Rows) {
		v.cut(len(list))
	}
	if n := len(v.Rows); n > 0 {
		v.Rows[n-1].measured = false // it may no longer be the last row
	}
	for i := len(v.Rows); i < len(list); i++ {
		v.Rows = append(v.Rows, entry{})
		v.Heights.Add(v.estimate(list[i]))
	}
	t.empty.Hidden = len(list) > 0
	if calls >= 0 && regroup(v, calls) && at.ok && v.Scroll.Width > 0 {
		arrange(v, top, at) // groups that close do not move the text that the user reads
	}
	v.Arrange()
	v.repaint()
	focus.follow(v)
	t.Find.searchAgain(changed)
}

// change updates the item of a row.
func (v *viewport) change(i int, item view.Item) {
	r := &v.Rows[i]
	if r.Block != nil && !r.Block.update(item) {
		v.removeBlock(i)
	}
	if r.Block == nil {
		v.Heights.Set(i, estimatedRowHeight(v, i, item))
	}
	r.measured, r.placed = false, false
	if i > 0 {
		v.Rows[i-1].measured = false
	}
}

// Reset clears the transcript before it shows another chat.
func (t *Transcript) Reset() {
	t.View.user = userMessages{}
	t.View.cut(0)
	t.View.Items, t.View.Stick, t.View.hold.at, t.Overlay.hovered = nil, true, place{}, -1
	t.Selection.Deselect()
	t.Keyboard.clear()
	t.Flashes.clear()
	t.Find.Close()
}

// Enlarge sets how many points are added to the usual text size. The text at the top stays in
// place.
func (v *viewport) Enlarge(by float32) {
	if v.Grow == by {
		return
	}
	v.Grow = by
	top := v.Scroll.Scroll.Offset.Y
	at := topPlace(v, top)
	for i := range v.Rows {
		if k, ok := v.Rows[i].Block.(statefulBlock); ok && k.keepsState() {
			continue // cards have text of a fixed size
		}
		v.removeBlock(i)
		v.Heights.Set(i, estimatedRowHeight(v, i, v.Items[i]))
	}
	v.List.Objects = nil
	if v.Scroll.Width > 0 {
		arrange(v, top, at)
	}
	v.repaint()
}

func (v *viewport) cut(n int) {
	for i := n; i < len(v.Rows); i++ {
		v.removeBlock(i)
	}
	v.Rows = v.Rows[:n:n]
	v.Heights.Truncate(n)
	v.Items = v.Items[:min(n, len(v.Items))]
}

// removeBlock removes the block of a row.
func (v *viewport) removeBlock(i int) {
	switch b := v.Rows[i].Block.(type) {
	case *Card:
		b.Head.spin.SetRunning(false)
	case *pending:
		b.spin.SetRunning(false)
	}
	v.Rows[i] = entry{group: v.Rows[i].group}
}

// Rename shows the current names of the servers on the cards.
func (t *Transcript) Rename() {
	for _, r := range t.View.Rows {
		if c, ok := r.Block.(*Card); ok {
			c.updateServerName()
		}
	}
}

// refit measures all rows again after the height of one changed.
func (v *viewport) refit() {
	for i := range v.Rows {
		if v.Rows[i].Block != nil {
			v.Rows[i].measured = false
		}
	}
	v.Arrange()
	v.repaint()
}

// repaint repaints the window without recreating its objects.
func (v *viewport) repaint() { canvas.Refresh(v.invalid) }

// run runs f outside the UI goroutine, and then done on it.
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
	if t.On.Copy != nil {
		t.On.Copy(text)
	}
}

func (t *Transcript) open(address string) {
	if t.On.Link != nil {
		t.On.Link(address)
	}
}
