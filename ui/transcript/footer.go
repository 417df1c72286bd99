package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/pager"
	"goated/ui/view"
)

// footHeight is the height of the footer of an answer. The footer of a user's message adds half
// of it, and uses the gap to the next row for the rest.
const footHeight = 32

// A footer is the row below a message. It shows the usage of the turn, and buttons while the
// pointer is on the message.
type footer struct {
	root    *fyne.Container
	owner   *Transcript
	at      int
	own     bool // the message is from the user
	entered bool // one of the buttons has the focus
	Buttons []*kit.Button
	pager   *pager.Pager
	tokens  *kit.Label
}

func newFooter(owner *Transcript, at int, own bool) *footer {
	f := &footer{owner: owner, at: at, own: own, tokens: kit.NewLabel("", 12, kit.ColorFaint)}
	offer := func(icon string, done func(int)) {
		if done != nil {
			f.Buttons = append(f.Buttons, kit.NewButton(kit.Ghost, icon, "", func() { done(at) }).Small())
		}
	}
	offer("copy", owner.copySource)
	if own {
		offer("pencil", owner.On.Edit)
	} else {
		offer("retry", owner.On.Regenerate)
	}
	if owner.On.Delete != nil {
		f.Buttons = append(f.Buttons, kit.NewButton(kit.Ghost, "more", "", f.menu).Small())
	}
	f.pager = pager.New(func(by int) {
		if owner.On.Version != nil {
			owner.On.Version(at, by)
		}
	})
	f.root = container.New(footLayout{f}, f.pager.Root)
	for _, b := range f.Buttons {
		b.Hidden = true
		b.OnFocus = func(on bool) { f.entered = on; f.show() }
		f.root.Objects = append(f.root.Objects, b)
	}
	f.root.Objects = append(f.root.Objects, f.tokens)
	return f
}

// menu opens the menu with the other actions for the message, below the last button.
func (f *footer) menu() {
	b := f.Buttons[len(f.Buttons)-1]
	f.owner.Selection.menuFor(f.at, kit.PositionOf(b).AddXY(0, b.Size().Height+2), "")
}

// count shows the usage of the turn.
func (f *footer) count(spent view.Spent) { f.tokens.Set(spent.String()) }

// show updates the buttons and the pager. The buttons are visible if the message
// is hovered, chosen or the last answer, or if one of them has the focus.
func (f *footer) show() {
	on := f.entered || f.owner.Overlay.hovered == f.at || f.owner.Keyboard.Chosen == f.at+1 || !f.own && f.at == len(f.owner.View.Items)-1 && !f.owner.View.Live
	at, of := 0, 0
	if f.owner.On.Versions != nil {
		at, of = f.owner.On.Versions(f.at)
	}
	changed := f.pager.Set(at, of)
	for _, b := range f.Buttons {
		if b.Hidden == on {
			b.Hidden, changed = !on, true
		}
	}
	if changed {
		f.root.Layout.Layout(f.root.Objects, f.root.Size())
		f.owner.View.repaint()
	}
}

// footLayout aligns the footer with the message: to the right for a message of the user, to the
// left otherwise.
type footLayout struct{ f *footer }

func (l footLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const wide, gap = 28, 2
	x := float32(-6)
	paged := float32(0)
	if !l.f.pager.Root.Hidden {
		paged = pager.Width
	}
	if l.f.own {
		x = size.Width + 4 - float32(len(l.f.Buttons))*(wide+gap)
		kit.Place(l.f.pager.Root, x-paged-2, 3, pager.Width, 28)
	} else {
		kit.Place(l.f.pager.Root, x, 3, pager.Width, 28)
		x += paged
	}
	left := max(x+6, 0) // the position of the token count without buttons
	for _, b := range l.f.Buttons {
		kit.Place(b, x, 3, wide, 28)
		x += wide + gap
	}
	if len(l.f.Buttons) == 0 || l.f.Buttons[0].Hidden {
		x = left
	} else {
		x += 6
	}
	m := l.f.tokens.MinSize()
	kit.Place(l.f.tokens, x, 3, m.Width, 28)
}

func (l footLayout) HeightFor([]fyne.CanvasObject, float32) float32 {
	if l.f.own {
		return footHeight / 2
	}
	return footHeight
}

func (footLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, footHeight) }
