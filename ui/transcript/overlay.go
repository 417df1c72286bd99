package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// An overlay lies above the rows. It contains the button that leads to the newest message, and
// the address of the link under the pointer.
type overlay struct {
	t       *Transcript
	root    *fyne.Container
	Latest  *fyne.Container
	address *fyne.Container
	words   *kit.Label // shows the address
	link    string     // the address under the pointer
	hovered int        // the item under the pointer; -1: none
}

func newOverlay(t *Transcript) overlay {
	o := overlay{t: t, hovered: -1, words: kit.NewLabel("", 12, kit.ColorMuted).Elided()}
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorNone, 18)
	ground.Shadow = true
	spot := kit.NewTappable(18, t.View.ToLatest)
	spot.SetColors(kit.ColorSurface, kit.ColorHair)
	o.Latest = container.New(kit.Margin{}, ground, spot, kit.NewIcon("chevron-down", 18, kit.ColorText))
	o.address = kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 7), kit.Margin{Top: 5, Right: 10, Bottom: 5, Left: 10}, o.words)
	o.Latest.Hidden, o.address.Hidden = true, true
	o.root = container.New(overlayLayout{t}, o.Latest, o.address)
	return o
}

// update shows or hides the parts of the overlay.
func (o *overlay) update() {
	away := len(o.t.View.Rows) > 0 && !o.t.View.Stick && o.t.View.Scroll.Scroll.Offset.Y < o.t.View.Tall()-o.t.View.Scroll.Scroll.Size().Height-80
	pointed := o.link != ""
	if pointed {
		o.words.Set(o.link)
	}
	if o.Latest.Hidden == away || o.address.Hidden == pointed {
		o.Latest.Hidden, o.address.Hidden = !away, !pointed
		o.t.View.repaint()
	}
	if pointed || o.t.Find.open {
		o.root.Layout.Layout(o.root.Objects, o.root.Size())
	}
}

// ToLatest scrolls to the end and follows new text.
func (v *viewport) ToLatest() {
	v.Stick = true
	v.Arrange()
	v.repaint()
}

// GoTo scrolls to y. It calls Arrange itself, because Fyne's scroller calls OnScrolled only for
// actions of the user.
func (v *viewport) GoTo(y float32) {
	v.Stick = false
	v.Scroll.Scroll.ScrollToOffset(fyne.NewPos(0, max(min(y, v.Tall()-v.Scroll.Scroll.Size().Height), 0)))
	v.Arrange()
}

// overlayLayout places the parts of the overlay.
type overlayLayout struct{ t *Transcript }

func (l overlayLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	kit.Place(l.t.Overlay.Latest, float32(int(size.Width/2))-18, size.Height-48, 36, 36)
	w := min(l.t.Overlay.words.Measure(l.t.Overlay.words.Text).Width+22, size.Width-40)
	kit.Place(l.t.Overlay.address, 10, size.Height-34, w, 26)
	if l.t.Find.bar != nil {
		w := min(float32(420), size.Width-40)
		kit.Place(l.t.Find.bar, size.Width-w-20, 12, w, 40)
	}
}

func (overlayLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
