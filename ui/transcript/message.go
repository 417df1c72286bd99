package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/chip"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/textview"
	"goated/ui/view"
)

// block returns a new block for an item.
func (t *Transcript) block(i int, item view.Item) block {
	switch item := item.(type) {
	case view.User:
		return newBubble(t, i, item)
	case view.Answer:
		return newAnswer(t, i, item)
	case view.Thought:
		return newThought(t, i, item)
	case view.Card:
		return newCard(t, item)
	case view.Queued:
		return newQueued(t, i, item)
	case view.Failure:
		return newFailure(t, item)
	case view.Summary:
		return newSummary(t, i, item)
	case view.Notice:
		return newNotice(t, i, item)
	case view.Question:
		return newQuestionRow(t, item)
	case view.Pending:
		return newPending(t, item)
	}
	return newNotice(t, i, view.Notice{})
}

// A Bubble is a message of the user, at the right.
type Bubble struct {
	root, body *fyne.Container
	fold       *fold
	Text       *textview.View // the text view of fold
	Foot       *footer
	item       view.User
}

func newBubble(t *Transcript, i int, item view.User) *Bubble {
	b := &Bubble{item: item, fold: newFold(t, i, item.Text)}
	b.Text = b.fold.text
	p := kit.NewPanel(kit.ColorBubble, kit.ColorNone, 18)
	p.Sharp = true
	b.body = container.New(bubbleLayout{b.fold}, container.New(kit.Margin{}, p, kit.Inset(kit.Margin{Top: 9, Right: 16, Bottom: 9, Left: 16}, b.fold.root)))
	if files := item.Attachments(); len(files) > 0 {
		chips := container.New(kit.Flow{Gap: 8, Right: true, Min: kit.ChipSize()})
		for at, a := range files {
			on := chip.Actions{Open: t.Actions.Opens(a)}
			chips.Add(chip.New(a, on))
			t.loadPreview(a, func(a view.Attachment) { chips.Objects[at] = chip.New(a, on); chips.Refresh() })
		}
		both := kit.Vertical(8, chips)
		if item.Text != "" {
			both.Add(b.body)
		}
		b.body = container.New(kit.Margin{}, both)
	}
	b.Foot = newFooter(t, i, true)
	b.root = kit.Vertical(0, b.body, b.Foot.root)
	return b
}

func (b *Bubble) Object() fyne.CanvasObject { return b.root }

func (b *Bubble) update(item view.Item) bool {
	u, ok := item.(view.User)
	if ok && !sameFiles(u.Attachments(), b.item.Attachments()) {
		return false
	}
	if ok && u != b.item {
		b.item = u
		b.fold.put(u.Text)
	}
	return ok
}

func (b *Bubble) keepsState() bool { return b.Foot.owner.isEditing(b.Foot.at) }

// sameFiles reports whether two messages share the same slice of files.
func sameFiles(a, b []view.Attachment) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (b *Bubble) Reveal(from, to, _, width float32) (height, shift float32) {
	if !b.keepsState() {
		b.Text.Reveal(from, to)
		b.Foot.show()
	}
	return kit.HeightOf(b.root, width), 0
}

// bubbleLayout places a bubble at the right, as wide as its text.
type bubbleLayout struct{ fold *fold }

func (l bubbleLayout) width(width float32) float32 {
	return l.fold.width(float32(int(width*0.8))-32) + 32
}

func (l bubbleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.width(size.Width)
	kit.Place(objects[0], size.Width-w, 0, w, size.Height)
}

func (l bubbleLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return kit.HeightOf(objects[0], l.width(width))
}

func (l bubbleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 40) }

// A noticeRow is a notice from goated. If it is at the end and belongs to a stopped turn, it has a
// button that asks for another answer.
type noticeRow struct {
	root  *fyne.Container
	text  *textview.View
	retry *kit.Button // nil if there is no button
	t     *Transcript
	item  view.Notice
	shown view.Item // item with the name of a server in place of its id
}

func newNotice(t *Transcript, i int, item view.Notice) *noticeRow {
	shown := withServerNames(t, []view.Item{item})[0]
	n := &noticeRow{t: t, item: item, shown: shown, text: t.newTextView(i, 0, partsOf(shown)[0], markdown.Style{TextSize: 13, Leading: 20, Ink: kit.ColorMuted})}
	n.root = container.New(kit.Row{Gap: 8, Flex: n.text, Top: true},
		kit.Sized(16, 20, kit.NewIcon("info", 15, kit.ColorFaint)), n.text)
	if item.Retry && t.On.Regenerate != nil {
		n.retry = kit.NewButton(kit.Outline, "retry", "Retry", func() { t.On.Regenerate(i) }).Small()
		n.root.Layout = kit.Row{Gap: 8, Flex: n.text}
		n.root.Add(n.retry)
	}
	return n
}

func (n *noticeRow) Reveal(_, _, _, width float32) (height, shift float32) {
	if v := &n.t.View; n.retry != nil {
		n.retry.Hidden = v.Live || n.text.Item != len(v.Items)-1
	}
	return kit.HeightOf(n.root, width), 0
}

func (n *noticeRow) Object() fyne.CanvasObject { return n.root }

func (n *noticeRow) update(item view.Item) bool {
	i, ok := item.(view.Notice)
	return ok && i == n.item
}

// A failure is an error that ended a turn, with advice and with buttons for actions that may
// help.
type failure struct {
	root   *fyne.Container
	ground *kit.Panel
	item   view.Failure
}

func newFailure(owner *Transcript, item view.Failure) *failure {
	text := kit.NewText(item.Text, 14, 21, kit.ColorText)
	text.Style.Bold = true
	advice := kit.NewText(item.Advice, 13, 20, kit.ColorMuted)
	words, buttons := kit.Vertical(3, text, advice), kit.Horizontal(8, nil)
	offer := func(icon, label string, do func()) {
		if label != "" && do != nil {
			buttons.Add(kit.NewButton(kit.Outline, icon, label, do))
		}
	}
	offer("", item.Key, owner.On.Context.Key)
	offer("", item.Other, owner.On.Context.Model)
	offer("retry", "Retry", owner.On.Retry)
	f := &failure{item: item, ground: kit.NewPanel(kit.ColorBadSoft, kit.ColorBad, 12)}
	said := container.New(kit.SideBySide{Gap: 14, Least: 400}, words, buttons)
	f.root = kit.Boxed(f.ground, kit.Margin{Top: 14, Right: 14, Bottom: 14, Left: 16},
		container.New(kit.Row{Gap: 14, Flex: said, Top: true}, kit.Sized(18, 21, kit.NewIcon("alert", 18, kit.ColorBad)), said))
	return f
}

func (f *failure) Object() fyne.CanvasObject { return f.root }

func (f *failure) update(item view.Item) bool {
	i, ok := item.(view.Failure)
	return ok && i == f.item
}
