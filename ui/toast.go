package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// toastBeats is how long a toast stays: 4 s.
const toastBeats = 40

// toasts are short messages at the top right that go away by themselves. There
// is one stack of them, which hangs in whatever layer is on top.
type toasts struct {
	list  *fyne.Container
	hung  *fyne.Container // the layer's slot
	clock *clock
}

func newToasts(c *clock) *toasts { return &toasts{list: vertical(8), clock: c} }

// hang moves the stack to another layer.
func (t *toasts) hang(slot *fyne.Container) {
	if t.hung == slot {
		return
	}
	if t.hung != nil {
		t.hung.Objects = nil
		t.hung.Refresh()
	}
	t.hung = slot
	slot.Objects = []fyne.CanvasObject{container.New(corner{}, t.list)}
	slot.Refresh()
}

// offerBeats is how long one with something to press stays: 8 s.
const offerBeats = 80

// say shows text for a while.
func (t *toasts) say(icon, text string) { t.put(icon, text, toastBeats) }

// offer shows text for a while, with something to do about it, which a key does
// as well. Doing it takes the toast away.
func (t *toasts) offer(icon, text, action string, key shortcut, do func()) {
	name := newLabel(action, 13, colorOnToast).strong()
	keys := newLabel(key.String(), 11, colorOnToast)
	var gone func()
	spot := newHotspot(7, func() {
		gone()
		do()
	})
	spot.rest(colorNone, colorOnToast)
	words := vertical(0, name, keys)
	name.centre, keys.centre = true, true
	size := words.MinSize()
	gone = t.put(icon, text, offerBeats, container.New(fixed{fyne.NewSize(size.Width+20, size.Height+8)}, spot, inset(margin{4, 10, 4, 10}, words)))
}

// put shows a toast, and returns what takes it away again.
func (t *toasts) put(icon, text string, beats int, beside ...fyne.CanvasObject) (gone func()) {
	words := newText(text, 13, 19, colorOnToast)
	words.style.Bold = true
	mark := newGlyph(icon, 16, colorOnToast)
	o := boxed(newPanel(colorToast, colorNone, 11), margin{11, 16, 11, 14},
		container.New(row{gap: 10, flex: words}, append([]fyne.CanvasObject{mark, words}, beside...)...))
	t.list.Objects = append(slices.Clip(t.list.Objects), o)
	t.refit()
	var b *beat
	gone = func() {
		t.clock.remove(b)
		t.list.Objects = slices.DeleteFunc(slices.Clone(t.list.Objects), func(have fyne.CanvasObject) bool { return have == o })
		t.refit()
	}
	b = t.clock.add(beats, gone)
	return gone
}

func (t *toasts) refit() {
	if t.hung != nil && len(t.hung.Objects) > 0 {
		t.hung.Refresh()
	}
}

// corner puts the stack at the top right, under the header.
type corner struct{}

func (corner) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const width = 340
	w := min(float32(width), size.Width-40)
	for _, o := range objects {
		place(o, size.Width-w-20, 72, w, heightOf(o, w))
	}
}

func (corner) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
