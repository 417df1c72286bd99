package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/assets"
	"goated/ui/view"
)

// readable is the widest that text is set.
const readable = 760

// A transcript shows one [view.Chat]. It keeps what is already drawn and changes
// only the parts that differ.
type transcript struct {
	root   *fyne.Container
	list   *fyne.Container
	scroll *scroller
	empty  *fyne.Container
	clock  *clock
	blocks []block
	stick  bool // the user is at the bottom and wants to stay there

	errands errands // of the cards

	OnCopy    func(text string)
	OnRetry   func()
	OnExample func(text string)
}

// A block draws one item of the chat.
type block interface {
	object() fyne.CanvasObject
	update(item view.Item) bool // false if the item is of another kind
}

func newTranscript(c *clock) *transcript {
	t := &transcript{clock: c, stick: true}
	t.list = vertical(16)
	t.scroll = newScroller(container.New(measure{readable, 28}, inset(margin{26, 0, 26, 0}, t.list)))
	t.scroll.scroll.OnScrolled = func(fyne.Position) {
		t.stick = t.scroll.atBottom()
		t.cull()
	}
	t.scroll.OnFit = t.settle
	t.empty = t.greeting()
	t.root = container.New(margin{}, t.scroll.root, t.empty)
	return t
}

// show draws chat.
func (t *transcript) show(chat view.Chat) {
	for i, item := range chat.Items {
		if i < len(t.blocks) {
			if t.blocks[i].update(item) {
				continue
			}
			t.cut(i)
		}
		b := t.block(item)
		t.blocks = append(t.blocks, b)
		t.list.Objects = append(t.list.Objects, b.object())
	}
	t.cut(len(chat.Items))
	t.empty.Hidden = len(chat.Items) > 0
	t.refit()
}

// reset forgets what is drawn, to show another chat.
func (t *transcript) reset() {
	t.cut(0)
	t.stick = true
}

func (t *transcript) cut(n int) {
	for _, b := range t.blocks[n:] {
		if c, ok := b.(*card); ok {
			c.spin.turn(false)
		}
	}
	t.blocks = t.blocks[:n:n]
	t.list.Objects = t.list.Objects[:n:n]
}

// refit lays out anew after something changed its height.
func (t *transcript) refit() {
	t.scroll.refit()
	canvas.Refresh(t.list)
}

// settle goes back to the bottom, if that is where the user was.
func (t *transcript) settle() {
	if t.stick {
		t.scroll.scroll.ScrollToBottom()
		t.stick = true
	}
	t.cull()
}

// cull hides what is far out of sight, so that a long conversation costs no
// more to paint than a short one.
func (t *transcript) cull() {
	top := t.scroll.scroll.Offset.Y - 200
	bottom := t.scroll.scroll.Offset.Y + t.scroll.scroll.Size().Height + 200
	for _, b := range t.blocks {
		c, ok := b.object().(*fyne.Container)
		if !ok {
			continue
		}
		y := c.Position().Y + 26
		seen := y+c.Size().Height >= top && y <= bottom
		for _, o := range c.Objects {
			if v, ok := o.(*fyne.Container); ok && v.Hidden == seen {
				v.Hidden = !seen
			}
		}
	}
}

func (t *transcript) block(item view.Item) block {
	switch item := item.(type) {
	case view.User:
		return newBubble(item)
	case view.Answer:
		return newAnswer(t, item)
	case view.Thought:
		return newThought(item)
	case view.Card:
		return newCard(t, item)
	case view.Failure:
		return newFailure(t, item)
	case view.Notice:
		return newNotice(item)
	}
	return newNotice(view.Notice{})
}

func (t *transcript) copy(text string) {
	if t.OnCopy != nil {
		t.OnCopy(text)
	}
}

// greeting is what an empty conversation shows.
func (t *transcript) greeting() *fyne.Container {
	mark := widget.NewIcon(fyne.NewStaticResource("goated.svg", assets.IconSVG))
	hello := newLabel("What shall we do?", 24, colorText).strong()
	hello.centre = true
	lead := newLabel("Ask in your own words. Connected tools do the work, and ask you first.", 14, colorMuted)
	lead.centre = true
	examples := vertical(8)
	for _, e := range []struct{ icon, text string }{
		{"folder", "List the files in ."},
		{"chat", "Remember coffee as flat white"},
		{"info", "What do you remember about coffee"},
	} {
		spot := newHotspot(12, func() {
			if t.OnExample != nil {
				t.OnExample(e.text)
			}
		})
		spot.rest(colorSurface, colorBorder)
		text := newLabel(e.text, 14, colorText).elided()
		examples.Add(container.New(fixed{fyne.NewSize(1, 46)}, spot,
			inset(margin{0, 16, 0, 16}, horizontal(12, text, newGlyph(e.icon, 16, colorAccent), text))))
	}
	column := vertical(0,
		container.New(measure{width: 64}, sized(64, 64, mark)),
		inset(margin{20, 0, 8, 0}, hello), lead,
		inset(margin{28, 0, 0, 0}, examples))
	return container.New(middle{}, container.New(measure{440, 24}, column))
}

// middle puts its object a little above the centre, where it looks centred.
type middle struct{}

func (middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		h := heightOf(o, size.Width)
		place(o, 0, max(float32(int((size.Height-h)*0.44)), 0), size.Width, h)
	}
}

func (middle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
