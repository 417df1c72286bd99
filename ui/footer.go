package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// footHeight is that of what stands under an answer. Under a message of the user
// it takes half of that, and the gap to the next row.
const footHeight = 32

// A footer stands under a message: what can be done with it, seen while the
// pointer is on the message, and what it took.
type footer struct {
	root    *fyne.Container
	owner   *transcript
	at      int
	own     bool // the message is the user's
	buttons []*button
	tokens  *label
}

func newFooter(owner *transcript, at int, own bool) *footer {
	f := &footer{owner: owner, at: at, own: own, tokens: newLabel("", 12, colorFaint)}
	offer := func(icon string, done func(int)) {
		if done != nil {
			f.buttons = append(f.buttons, newButton(ghost, icon, "", func() { done(at) }).small())
		}
	}
	offer("copy", owner.copySource)
	if own {
		offer("pencil", owner.OnEdit)
	} else {
		offer("retry", owner.OnRegenerate)
	}
	offer("trash", owner.OnDelete)
	f.root = container.New(footLayout{f})
	for _, b := range f.buttons {
		b.Hidden = true
		f.root.Objects = append(f.root.Objects, b)
	}
	f.root.Objects = append(f.root.Objects, f.tokens)
	return f
}

// count shows what the turn took.
func (f *footer) count(spent view.Spent) { f.tokens.set(spent.String()) }

// show shows the buttons if the message is the one that is pointed at, or the
// last answer.
func (f *footer) show() {
	on := f.owner.hovered == f.at || f.owner.chosen == f.at+1 || !f.own && f.at == len(f.owner.items)-1 && !f.owner.live
	changed := false
	for _, b := range f.buttons {
		if b.Hidden == on {
			b.Hidden, changed = !on, true
		}
	}
	if changed {
		f.root.Layout.Layout(f.root.Objects, f.root.Size())
		f.owner.repaint()
	}
}

// footLayout puts the buttons under the edge of the message that is its own.
type footLayout struct{ f *footer }

func (l footLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const wide, gap = 28, 2
	x := float32(-6)
	if l.f.own {
		x = size.Width + 4 - float32(len(l.f.buttons))*(wide+gap)
	}
	for _, b := range l.f.buttons {
		place(b, x, 3, wide, 28)
		x += wide + gap
	}
	if len(l.f.buttons) == 0 || l.f.buttons[0].Hidden {
		x = 0
	} else {
		x += 6
	}
	m := l.f.tokens.MinSize()
	place(l.f.tokens, x, 3, m.Width, 28)
}

func (l footLayout) heightFor([]fyne.CanvasObject, float32) float32 {
	if l.f.own {
		return footHeight / 2
	}
	return footHeight
}

func (footLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, footHeight) }
