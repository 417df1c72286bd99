package transcript

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/textview"
	"goated/ui/view"
	md "goated/ui/view/markdown"
)

// A thought is the model's summary of its reasoning. It is initially closed, and paler than an
// answer.
type thought struct {
	root, body *fyne.Container
	owner      *Transcript
	text       *textview.View
	head       *kit.Button
	item       view.Thought
	open       bool
}

func newThought(t *Transcript, i int, item view.Thought) *thought {
	k := &thought{owner: t, item: item}
	k.text = t.newTextView(i, 0, thoughtBlock(item), markdown.Style{TextSize: 13, Leading: 20, Ink: kit.ColorFaint})
	k.body = kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 4, Left: 0}, container.New(quoteLayout{}, kit.NewPanel(kit.ColorBorder, kit.ColorNone, 1), k.text))
	k.head = kit.NewButton(kit.Ghost, "chevron-right", "Thoughts", k.toggle).Small()
	k.head.Wide = true
	k.body.Hide()
	k.root = kit.Vertical(0, kit.Sized(120, 28, k.head), k.body)
	k.root.Layout = thoughtLayout{k}
	return k
}

// thoughtBlock returns a whole thought as one block.
func thoughtBlock(item view.Thought) md.Block {
	return md.Gather(md.Parse(strings.TrimSpace(item.Text)))
}

func (k *thought) toggle() {
	k.open = !k.open
	k.body.Hidden = !k.open
	if k.open {
		k.head.SetIcon("chevron-down")
	} else {
		k.head.SetIcon("chevron-right")
	}
	k.owner.View.Stick = false // keeps the pressed button in place
	k.owner.View.refit()
}

func (k *thought) keepsState() bool          { return k.open }
func (k *thought) Object() fyne.CanvasObject { return k.root }

func (k *thought) update(item view.Item) bool {
	next, ok := item.(view.Thought)
	if ok && next != k.item {
		k.item = next
		k.text.Put(thoughtBlock(next), md.Growth{})
	}
	return ok
}

func (k *thought) Reveal(from, to, _, width float32) (height, shift float32) {
	words := "Thoughts"
	if k.text.Item == len(k.owner.View.Items)-1 && k.owner.View.Live {
		words = "Thinking…"
	}
	k.head.SetText(words)
	if k.open {
		k.text.Reveal(from-28, to-28)
	}
	return kit.HeightOf(k.root, width), 0
}

// thoughtLayout places the text of a thought below its button.
type thoughtLayout struct{ k *thought }

func (l thoughtLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], -9, 0, 130, 28)
	if l.k.open {
		kit.Place(objects[1], 0, 28, size.Width, size.Height-28)
	}
}

func (l thoughtLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	if !l.k.open {
		return 28
	}
	return 28 + kit.HeightOf(objects[1], width)
}

func (l thoughtLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 28) }

type quoteLayout struct{}

func (quoteLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, 3, size.Height)
	kit.Place(objects[1], 16, 0, size.Width-16, size.Height)
}

func (quoteLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return kit.HeightOf(objects[1], width-16)
}

func (quoteLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 20) }
