package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// overlay is what lies above the rows: the way back to the newest message, and
// the address of the link that the pointer is on.
type overlay struct {
	Latest  *fyne.Container
	address *fyne.Container
	words   *kit.Label
}

// float shows what floats, as things are now.
func (t *Transcript) float() {
	if t.Latest == nil {
		ground := kit.NewPanel(kit.ColorSurface, kit.ColorNone, 18)
		ground.Shadow = true
		spot := kit.NewTappable(18, t.ToLatest)
		spot.Rest(kit.ColorSurface, kit.ColorEdge)
		t.Latest = container.New(kit.Margin{}, ground, spot, kit.NewIcon("chevron-down", 18, kit.ColorText))
		t.words = kit.NewLabel("", 12, kit.ColorMuted).Elided()
		t.address = kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 7), kit.Margin{Top: 5, Right: 10, Bottom: 5, Left: 10}, t.words)
		t.Latest.Hidden, t.address.Hidden = true, true
		t.over.Objects = []fyne.CanvasObject{t.Latest, t.address}
	}
	away := len(t.Rows) > 0 && !t.Stick && t.Scroll.Scroll.Offset.Y < t.Tall()-t.Scroll.Scroll.Size().Height-80
	pointed := t.pointed != ""
	if pointed {
		t.words.Set(t.pointed)
	}
	if t.Latest.Hidden == away || t.address.Hidden == pointed {
		t.Latest.Hidden, t.address.Hidden = !away, !pointed
		t.repaint()
	}
	if pointed || t.finds {
		t.over.Layout.Layout(t.over.Objects, t.over.Size())
	}
}

// ToLatest goes to the end and stays there.
func (t *Transcript) ToLatest() {
	t.Stick = true
	t.Arrange()
	t.repaint()
}

// GoTo shows what is at y. Fyne's scroller tells of what the user does, and not
// of this.
func (t *Transcript) GoTo(y float32) {
	t.Stick = false
	t.Scroll.Scroll.ScrollToOffset(fyne.NewPos(0, max(min(y, t.Tall()-t.Scroll.Scroll.Size().Height), 0)))
	t.Arrange()
}

// overlayLayout puts each in its corner.
type overlayLayout struct{ t *Transcript }

func (l overlayLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	kit.Place(l.t.Latest, float32(int(size.Width/2))-18, size.Height-48, 36, 36)
	w := min(l.t.words.Measure(l.t.words.Text).Width+22, size.Width-40)
	kit.Place(l.t.address, 10, size.Height-34, w, 26)
	if l.t.bar != nil {
		w := min(float32(420), size.Width-40)
		kit.Place(l.t.bar, size.Width-w-20, 12, w, 40)
	}
}

func (overlayLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
