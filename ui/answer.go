package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/view"
)

// blockGap is between the blocks of an answer.
const blockGap = 10

// An answer is what the model said. Only those of its blocks exist that are in
// sight, and while it grows only the last of them is parsed and set anew.
type answer struct {
	root     *fyne.Container
	owner    *transcript
	at       int // its index in the chat
	item     view.Answer
	doc      view.Document
	heights  kit.Heights // of the blocks, each with the gap under it
	passages map[int]*passage
	measured []float32 // the width that each block's height is known for; 0 if it is guessed
	foot     *footer
	width    float32
	shown    [2]int
}

func newAnswer(owner *transcript, at int, item view.Answer) *answer {
	a := &answer{owner: owner, at: at, passages: map[int]*passage{}}
	a.foot = newFooter(owner, at, false)
	a.root = container.New(loose{}, a.foot.root)
	a.update(item)
	return a
}

// loose leaves its objects where they are.
type loose struct{}

func (loose) Layout([]fyne.CanvasObject, fyne.Size)        {}
func (loose) MinSize([]fyne.CanvasObject) (none fyne.Size) { return none }

func (a *answer) object() fyne.CanvasObject { return a.root }

func (a *answer) update(item view.Item) bool {
	next, ok := item.(view.Answer)
	if ok && next != a.item {
		a.item = next
		a.foot.count(next.Spent)
		a.parse()
	}
	return ok
}

// growing reports whether more of it may come.
func (a *answer) growing() bool { return a.owner.live && a.at == len(a.owner.items)-1 }

// parse brings the blocks up to date with the text.
func (a *answer) parse() {
	var grown view.Growth
	if a.owner.live {
		grown = a.doc.Grow(a.item.Text)
	} else {
		grown.Same = a.doc.Finish(a.item.Text)
	}
	blocks := a.doc.Blocks()
	for i := grown.Same; i < max(len(blocks), a.heights.Len()); i++ {
		p := a.passages[i]
		switch {
		case i >= len(blocks):
			delete(a.passages, i)
		case p != nil:
			p.open = a.growing() && i == len(blocks)-1
			p.put(blocks[i], grown)
		}
		grown.Inner, grown.Bytes = 0, 0
		if i < min(len(blocks), a.heights.Len()) {
			a.measured[i] = 0
		}
	}
	if len(blocks) < a.heights.Len() {
		a.heights.Cut(len(blocks))
		a.measured = a.measured[:len(blocks)]
	}
	for i := a.heights.Len(); i < len(blocks); i++ {
		a.heights.Add(a.guess(blocks[i]))
		a.measured = append(a.measured, 0)
	}
}

func (a *answer) guess(b view.Block) float32 {
	text := b.Text()
	switch b.Kind {
	case view.Code:
		return float32(strings.Count(text, "\n")+1)*20 + 46 + blockGap
	case view.Table:
		return float32(strings.Count(text, "\n")+1)*36 + blockGap
	}
	return guess(text, a.owner.width, 22) + blockGap
}

func (a *answer) Reveal(from, to, anchor, width float32) (height, shift float32) {
	if !a.growing() {
		a.parse() // the last time, as a whole
	}
	if a.width != width {
		a.width = width
		for i := range a.measured {
			a.measured[i] = 0
		}
	}
	blocks := a.doc.Blocks()
	look := a.heights.At(anchor)
	for i := look; i < len(blocks) && a.heights.Before(i) < to; i++ {
		if a.measured[i] == width {
			look = i // what is above it may turn out to be higher
			break
		}
	}
	first := a.heights.At(from)
	y := a.heights.Before(first)
	objects := append(a.root.Objects[:0:0], a.foot.root)
	last := first
	for ; last < len(blocks) && y < to; last++ {
		p := a.passages[last]
		if p == nil {
			p = newPassage(a.owner, a.at, last, blocks[last], markdown.Body(kit.ColorText))
			p.open = a.growing() && last == len(blocks)-1
			a.passages[last] = p
		} else if last < len(blocks)-1 || !a.growing() {
			p.ended()
		}
		was := a.heights.Each[last]
		if a.measured[last] != width {
			a.measured[last] = width
			a.heights.Set(last, p.HeightFor(width)+blockGap)
		}
		h := a.heights.Each[last]
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
			delete(a.passages, i)
		}
	}
	a.shown = [2]int{first, last}
	height = max(a.heights.Total()-blockGap, 0)
	a.foot.root.Hidden = !a.owner.ends(a.at)
	if !a.foot.root.Hidden {
		a.foot.show()
		kit.Place(a.foot.root, 0, height, width, footHeight)
		height += footHeight
	}
	if !kit.SameObjects(objects, a.root.Objects) {
		a.root.Objects = objects
		a.owner.repaint()
	}
	return height, shift
}
