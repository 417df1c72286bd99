package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// A bubble is what the user said, on the right.
type bubble struct {
	root *fyne.Container
	text *prose
	item view.User
}

func newBubble(item view.User) *bubble {
	b := &bubble{item: item, text: newText(item.Text, 14, 22, colorText)}
	p := newPanel(colorBubble, colorNone, 18)
	p.sharp = true
	b.root = container.New(aside{b.text}, container.New(margin{}, p, inset(margin{9, 16, 9, 16}, b.text)))
	if files := item.Attachments(); len(files) > 0 {
		chips := container.New(flow{gap: 8, right: true})
		for _, a := range files {
			chips.Add(newChip(a, nil))
		}
		both := vertical(8, chips)
		if item.Text != "" {
			both.Add(b.root)
		}
		b.root = container.New(margin{}, both)
	}
	return b
}

func (b *bubble) object() fyne.CanvasObject { return b.root }

func (b *bubble) update(item view.Item) bool {
	u, ok := item.(view.User)
	if ok && u != b.item {
		b.item = u
		b.text.setText(u.Text)
	}
	return ok
}

// aside puts a bubble at the right, no wider than its text needs.
type aside struct{ text *prose }

func (l aside) width(width float32) float32 {
	return l.text.natural(float32(int(width*0.8))-32) + 32
}

func (l aside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.width(size.Width)
	place(objects[0], size.Width-w, 0, w, size.Height)
}

func (l aside) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightOf(objects[0], l.width(width))
}

func (l aside) MinSize(objects []fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 40) }

// An answer is what the model said, block by block: while it grows, only the
// last of them is set anew.
type answer struct {
	root   *fyne.Container
	inner  *fyne.Container
	owner  *transcript
	item   view.Answer
	blocks []view.Block
	texts  []*prose
}

func newAnswer(owner *transcript, item view.Answer) *answer {
	a := &answer{owner: owner, inner: vertical(10)}
	a.root = container.New(margin{}, a.inner)
	a.update(item)
	return a
}

func (a *answer) object() fyne.CanvasObject { return a.root }

func (a *answer) update(item view.Item) bool {
	next, ok := item.(view.Answer)
	if !ok || next == a.item {
		return ok
	}
	a.item = next
	blocks := view.Blocks(next.Text)
	for i, b := range blocks {
		if i < len(a.blocks) {
			if old := a.blocks[i]; old.Kind == b.Kind && old.Level == b.Level && old.Marker == b.Marker {
				a.texts[i].set(b.Spans)
				continue
			}
			a.texts, a.inner.Objects = a.texts[:i], a.inner.Objects[:i]
			a.blocks = a.blocks[:i]
		}
		o, text := a.set(b)
		if i > 0 && b.Listed() && blocks[i-1].Listed() {
			o = inset(margin{-6, 0, 0, 0}, o) // the items of a list stand closer
		}
		a.blocks = append(a.blocks, b)
		a.texts = append(a.texts, text)
		a.inner.Objects = append(a.inner.Objects, o)
	}
	a.blocks = blocks
	a.texts, a.inner.Objects = a.texts[:len(blocks)], a.inner.Objects[:len(blocks)]
	return true
}

// set draws one block.
func (a *answer) set(b view.Block) (fyne.CanvasObject, *prose) {
	text := newProse(b.Spans, 14, 22, colorText)
	switch b.Kind {
	case view.Heading:
		text.style.Bold = true
		text.size, text.leading = 16, 24
		if b.Level == 1 {
			text.size, text.leading = 19, 28
		}
		return inset(margin{6, 0, 0, 0}, text), text
	case view.Bullet, view.Numbered:
		mark := newText(b.Marker, 14, 22, colorMuted)
		indent := float32(4 + 20*b.Level)
		gutter := float32(20)
		if b.Kind == view.Numbered {
			gutter = 26
		}
		return container.New(row{flex: text, top: true}, sized(indent, 1, newPanel(colorNone, colorNone, 0)), sized(gutter, 22, mark), text), text
	case view.Quote:
		text.color = colorMuted
		bar := newPanel(colorEdge, colorNone, 1)
		return container.New(quoted{}, bar, text), text
	case view.Rule:
		return inset(margin{6, 0, 6, 0}, newLine()), text
	case view.Code:
		text.style.Monospace, text.size, text.leading = true, 13, 20
		return newListing(b.Marker, text, func() { a.owner.copy(plainText(text.spans)) }), text
	}
	return text, text
}

type quoted struct{}

func (quoted) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], 0, 0, 3, size.Height)
	place(objects[1], 16, 0, size.Width-16, size.Height)
}

func (quoted) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightOf(objects[1], width-16)
}

func (quoted) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 22) }

// newListing is verbatim text on a ground of its own, with a name and a button
// that copies it.
func newListing(name string, text *prose, copied func()) *fyne.Container {
	title := newLabel(name, 12, colorFaint).elided()
	button := newButton(ghost, "copy", "Copy", copied).small()
	head := inset(margin{4, 5, 0, 14}, horizontal(8, title, title, button))
	return boxed(newPanel(colorSunken, colorBorder, 10), margin{},
		vertical(0, head, inset(margin{2, 14, 12, 14}, text)))
}

// A thought is the model's summary of its thinking, quieter than its answer.
type thought struct {
	root *fyne.Container
	text *prose
}

func newThought(item view.Thought) *thought {
	t := &thought{text: newProse(view.Spans(strings.TrimSpace(item.Text)), 13, 20, colorFaint)}
	t.root = container.New(margin{}, container.New(quoted{}, newPanel(colorBorder, colorNone, 1), t.text))
	return t
}

func (t *thought) object() fyne.CanvasObject { return t.root }

func (t *thought) update(item view.Item) bool {
	i, ok := item.(view.Thought)
	if ok {
		t.text.set(view.Spans(strings.TrimSpace(i.Text)))
	}
	return ok
}

// A remark is goated's own, between the others.
type remark struct {
	root *fyne.Container
	text *prose
}

func newNotice(item view.Notice) *remark {
	n := &remark{text: newText(item.Text, 13, 20, colorMuted)}
	n.root = container.New(margin{}, container.New(row{gap: 8, flex: n.text, top: true},
		sized(16, 20, newGlyph("info", 15, colorFaint)), n.text))
	return n
}

func (n *remark) object() fyne.CanvasObject { return n.root }

func (n *remark) update(item view.Item) bool {
	i, ok := item.(view.Notice)
	if ok {
		n.text.setText(i.Text)
	}
	return ok
}

// A failure is an error that ended a turn, what to do about it, and a button to
// try again.
type failure struct {
	root *fyne.Container
	item view.Failure
}

func newFailure(owner *transcript, item view.Failure) *failure {
	text := newText(item.Text, 14, 21, colorText)
	text.style.Bold = true
	advice := newText(item.Advice, 13, 20, colorMuted)
	retry := newButton(outline, "retry", "Retry", func() {
		if owner.OnRetry != nil {
			owner.OnRetry()
		}
	})
	words := vertical(3, text, advice)
	f := &failure{item: item}
	f.root = boxed(newPanel(colorBadSoft, colorBad, 12), margin{14, 14, 14, 16},
		horizontal(14, words, sized(18, 18, newGlyph("alert", 18, colorBad)), words, retry))
	return f
}

func (f *failure) object() fyne.CanvasObject { return f.root }

func (f *failure) update(item view.Item) bool {
	i, ok := item.(view.Failure)
	return ok && i == f.item
}
