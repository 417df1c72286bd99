package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// A thought is the model's summary of its thinking, quieter than its answer and
// closed until it is asked for.
type thought struct {
	root, body *fyne.Container
	owner      *transcript
	text       *passage
	head       *button
	item       view.Thought
	open       bool
}

func newThought(t *transcript, i int, item view.Thought) *thought {
	k := &thought{owner: t, item: item}
	k.text = newPassage(t, i, 0, thoughtBlock(item), manner{size: 13, leading: 20, ink: colorFaint})
	k.body = inset(margin{2, 0, 4, 0}, container.New(quoted{}, newPanel(colorBorder, colorNone, 1), k.text))
	k.head = newButton(ghost, "chevron-right", "Thoughts", k.toggle).small()
	k.head.wide = true
	k.body.Hide()
	k.root = vertical(0, sized(120, 28, k.head), k.body)
	k.root.Layout = thoughtLayout{k}
	return k
}

// thoughtBlock is all of a thought as one block: its paragraphs belong together.
func thoughtBlock(item view.Thought) view.Block {
	return view.Gather(view.Markdown(strings.TrimSpace(item.Text)))
}

func (k *thought) toggle() {
	k.open = !k.open
	k.body.Hidden = !k.open
	if k.open {
		k.head.setIcon("chevron-down")
	} else {
		k.head.setIcon("chevron-right")
	}
	k.owner.stick = false // what was pressed must not move away
	k.owner.refit()
}

func (k *thought) keep() bool                { return k.open }
func (k *thought) object() fyne.CanvasObject { return k.root }

func (k *thought) update(item view.Item) bool {
	next, ok := item.(view.Thought)
	if ok && next != k.item {
		k.item = next
		k.text.put(thoughtBlock(next), view.Growth{})
	}
	return ok
}

func (k *thought) reveal(from, to, _, width float32) (height, shift float32) {
	words := "Thoughts"
	if k.text.item == len(k.owner.items)-1 && k.owner.live {
		words = "Thinking…"
	}
	k.head.setText(words)
	if k.open {
		k.text.reveal(from-28, to-28)
	}
	return heightOf(k.root, width), 0
}

// thoughtLayout puts the words of a thought under its button.
type thoughtLayout struct{ k *thought }

func (l thoughtLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], -9, 0, 130, 28)
	if l.k.open {
		place(objects[1], 0, 28, size.Width, size.Height-28)
	}
}

func (l thoughtLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	if !l.k.open {
		return 28
	}
	return 28 + heightOf(objects[1], width)
}

func (l thoughtLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 28) }

type quoted struct{}

func (quoted) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], 0, 0, 3, size.Height)
	place(objects[1], 16, 0, size.Width-16, size.Height)
}

func (quoted) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightOf(objects[1], width-16)
}

func (quoted) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 20) }
