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
	"goated/ui/virtual"
)

// blockGap is the gap between the blocks of an answer.
const blockGap = 10

// An Answer is a message of the model. Only its visible blocks exist. While it grows, only its
// last block is parsed and laid out again.
type Answer struct {
	root      *fyne.Container
	owner     *Transcript
	at        int // the index of the message in the chat
	item      view.Answer
	Doc       md.Document
	Heights   virtual.Heights // the heights of the blocks, each with the gap below it
	TextViews map[int]*textview.View
	measured  []float32 // the width at which each height was measured; 0: the height is an estimate
	Foot      *footer
	width     float32
	shown     [2]int
}

func newAnswer(owner *Transcript, at int, item view.Answer) *Answer {
	a := &Answer{owner: owner, at: at, TextViews: map[int]*textview.View{}}
	a.Foot = newFooter(owner, at, false)
	a.root = container.New(fixedLayout{}, a.Foot.root)
	a.update(item)
	return a
}

// fixedLayout leaves its objects where they are.
type fixedLayout struct{}

func (fixedLayout) Layout([]fyne.CanvasObject, fyne.Size)        {}
func (fixedLayout) MinSize([]fyne.CanvasObject) (none fyne.Size) { return none }

func (a *Answer) Object() fyne.CanvasObject { return a.root }

func (a *Answer) update(item view.Item) bool {
	next, ok := item.(view.Answer)
	if ok && next != a.item {
		a.item = next
		a.Foot.count(next.Spent)
		a.parse()
	}
	return ok
}

// isGrowing reports whether more text may be added.
func (a *Answer) isGrowing() bool { return a.owner.View.Live && a.at == len(a.owner.View.Items)-1 }

// parse updates the blocks after the text changed.
func (a *Answer) parse() {
	var grown md.Growth
	if a.owner.View.Live {
		grown = a.Doc.Grow(a.item.Text)
	} else {
		grown.Same = a.Doc.Finish(a.item.Text)
	}
	blocks := a.Doc.Blocks()
	for i := grown.Same; i < max(len(blocks), a.Heights.Len()); i++ {
		p := a.TextViews[i]
		switch {
		case i >= len(blocks):
			delete(a.TextViews, i)
		case p != nil:
			p.Open = a.isGrowing() && i == len(blocks)-1
			p.Put(blocks[i], grown)
		}
		grown.Inner, grown.Bytes = 0, 0
		if i < min(len(blocks), a.Heights.Len()) {
			a.measured[i] = 0
		}
	}
	if len(blocks) < a.Heights.Len() {
		a.Heights.Truncate(len(blocks))
		a.measured = a.measured[:len(blocks)]
	}
	for i := a.Heights.Len(); i < len(blocks); i++ {
		a.Heights.Add(a.guess(blocks[i]))
		a.measured = append(a.measured, 0)
	}
}

func (a *Answer) guess(b md.Block) float32 {
	text := b.Text()
	switch b.Kind {
	case md.Code:
		return float32(strings.Count(text, "\n")+1)*20 + 46 + blockGap
	case md.Table:
		return float32(strings.Count(text, "\n")+1)*36 + blockGap
	}
	return estimateHeight(text, a.owner.View.width, 22) + blockGap
}

func (a *Answer) Reveal(from, to, anchor, width float32) (height, shift float32) {
	if !a.isGrowing() {
		a.parse() // the final parse
	}
	if a.width != width {
		a.width = width
		for i := range a.measured {
			a.measured[i] = 0
		}
	}
	blocks := a.Doc.Blocks()
	look := a.Heights.At(anchor)
	for i := look; i < len(blocks) && a.Heights.Before(i) < to; i++ {
		if a.measured[i] == width {
			look = i // the height of the blocks above may change
			break
		}
	}
	first := a.Heights.At(from)
	y := a.Heights.Before(first)
	objects := append(a.root.Objects[:0:0], a.Foot.root)
	last := first
	for ; last < len(blocks) && y < to; last++ {
		p := a.TextViews[last]
		if p == nil {
			p = a.owner.newTextView(a.at, last, blocks[last], markdown.Body(kit.ColorText))
			p.Open = a.isGrowing() && last == len(blocks)-1
			a.TextViews[last] = p
		} else if last < len(blocks)-1 || !a.isGrowing() {
			p.End()
		}
		was := a.Heights.Each[last]
		if a.measured[last] != width {
			a.measured[last] = width
			a.Heights.Set(last, p.HeightFor(width)+blockGap)
		}
		h := a.Heights.Each[last]
		if last < look {
			shift += h - was
		}
		p.Move(fyne.NewPos(0, y))
		p.Resize(fyne.NewSize(width, h-blockGap))
		p.Reveal(from-y, to-y)
		objects = append(objects, p)
		y += h
	}
	for i := a.shown[0]; i < a.shown[1]; i++ {
		if i < first || i >= last {
			delete(a.TextViews, i)
		}
	}
	a.shown = [2]int{first, last}
	height = max(a.Heights.Total()-blockGap, 0)
	a.Foot.root.Hidden = !a.owner.View.isTurnEnd(a.at)
	if !a.Foot.root.Hidden {
		a.Foot.show()
		kit.Place(a.Foot.root, 0, height, width, footHeight)
		height += footHeight
	}
	if !virtual.SameObjects(objects, a.root.Objects) {
		a.root.Objects = objects
		a.owner.View.repaint()
	}
	return height, shift
}
