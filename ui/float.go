package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// floating is what lies above the rows: the way back to the newest message, and
// the address of the link that the pointer is on.
type floating struct {
	latest  *fyne.Container
	address *fyne.Container
	words   *kit.Label
}

// float shows what floats, as things are now.
func (t *transcript) float() {
	if t.latest == nil {
		ground := kit.NewPanel(kit.ColorSurface, kit.ColorNone, 18)
		ground.Shadow = true
		spot := kit.NewTappable(18, t.toLatest)
		spot.Rest(kit.ColorSurface, kit.ColorEdge)
		t.latest = container.New(kit.Margin{}, ground, spot, kit.NewIcon("chevron-down", 18, kit.ColorText))
		t.words = kit.NewLabel("", 12, kit.ColorMuted).Elided()
		t.address = kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 7), kit.Margin{Top: 5, Right: 10, Bottom: 5, Left: 10}, t.words)
		t.latest.Hidden, t.address.Hidden = true, true
		t.over.Objects = []fyne.CanvasObject{t.latest, t.address}
	}
	away := len(t.rows) > 0 && !t.stick && t.scroll.Scroll.Offset.Y < t.tall()-t.scroll.Scroll.Size().Height-80
	pointed := t.pointed != ""
	if pointed {
		t.words.Set(t.pointed)
	}
	if t.latest.Hidden == away || t.address.Hidden == pointed {
		t.latest.Hidden, t.address.Hidden = !away, !pointed
		t.repaint()
	}
	if pointed || t.finds {
		t.over.Layout.Layout(t.over.Objects, t.over.Size())
	}
}

// toLatest goes to the end and stays there.
func (t *transcript) toLatest() {
	t.stick = true
	t.arrange()
	t.repaint()
}

// goTo shows what is at y. Fyne's scroller tells of what the user does, and not
// of this.
func (t *transcript) goTo(y float32) {
	t.stick = false
	t.scroll.Scroll.ScrollToOffset(fyne.NewPos(0, max(min(y, t.tall()-t.scroll.Scroll.Size().Height), 0)))
	t.arrange()
}

// floatLayout puts each in its corner.
type floatLayout struct{ t *transcript }

func (l floatLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	kit.Place(l.t.latest, float32(int(size.Width/2))-18, size.Height-48, 36, 36)
	w := min(l.t.words.Measure(l.t.words.Text).Width+22, size.Width-40)
	kit.Place(l.t.address, 10, size.Height-34, w, 26)
	if l.t.bar != nil {
		w := min(float32(420), size.Width-40)
		kit.Place(l.t.bar, size.Width-w-20, 12, w, 40)
	}
}

func (floatLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
