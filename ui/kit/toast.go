package kit

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// toastBeats is how long a toast is visible, in beats: 4 s.
const toastBeats = 40

// Toasts is the stack of short messages at the bottom. Each message disappears
// after some seconds. The window has one stack, in the top layer.
type Toasts struct {
	List  *fyne.Container
	hung  *fyne.Container // the slot of the current layer
	clock *Clock
	plain map[string]func() // by text: closes the toast without a button that shows it
	// Clear returns the insets that the toasts keep free at the left and the bottom of the
	// window. If top is not 0, the toasts start there instead of at the bottom. If Clear is nil,
	// there is only a margin at the bottom.
	Clear func() (left, top, bottom float32)
	Moved func() // runs after the stack changed its position or size; may be nil
}

func NewToasts(c *Clock) *Toasts {
	return &Toasts{List: Vertical(8), clock: c, plain: make(map[string]func())}
}

// Attach moves the stack to another layer.
func (t *Toasts) Attach(slot *fyne.Container) {
	if t.hung == slot {
		return
	}
	if t.hung != nil {
		t.hung.Objects = nil
		t.hung.Refresh()
	}
	t.hung = slot
	slot.Objects = []fyne.CanvasObject{container.New(aboveFoot{t}, t.List)}
	slot.Refresh()
}

// offerBeats is how long a toast with a button is visible, in beats: 8 s.
const offerBeats = 80

// Say shows text for 4 s. It closes an older toast with the same text first: the user may do the
// same thing many times in a row, and a tall stack would cover the controls for it.
func (t *Toasts) Say(icon, text string) {
	if older := t.plain[text]; older != nil {
		older()
	}
	t.plain[text] = t.put(icon, text, toastBeats)
}

// Offer shows text for 8 s with a button that runs do. The toast also shows the shortcut for the
// same action. The button closes the toast, and so does the function that Offer returns.
func (t *Toasts) Offer(icon, text, action string, key Shortcut, do func()) (gone func()) {
	name := NewLabel(action, 13, colorOnToast).Strong()
	keys := NewLabel(key.String(), 11, colorOnToast)
	spot := NewTappable(7, func() {
		gone()
		do()
	})
	spot.SetColors(ColorNone, colorOnToast)
	words := Vertical(0, name, keys)
	if keys.Text == "" {
		words = Vertical(0, name)
	}
	name.Centre, keys.Centre = true, true
	size := words.MinSize()
	gone = t.put(icon, text, offerBeats, container.New(Fixed{fyne.NewSize(size.Width+20, size.Height+8)}, spot, Inset(Margin{4, 10, 4, 10}, words)))
	return gone
}

// put shows a toast and returns the function that closes it.
func (t *Toasts) put(icon, text string, beats int, beside ...fyne.CanvasObject) (gone func()) {
	words := NewText(text, 13, 19, colorOnToast)
	words.Style.Bold = true
	o := Boxed(NewPanel(colorToast, ColorNone, 11), Margin{11, 16, 11, 14},
		container.New(Row{Gap: 10, Flex: words}, append([]fyne.CanvasObject{NewIcon(icon, 16, colorOnToast), words}, beside...)...))
	t.List.Objects = append(slices.Clip(t.List.Objects), o)
	t.refit()
	var b *Ticker
	gone = func() {
		t.clock.Remove(b)
		if len(beside) == 0 {
			delete(t.plain, text)
		}
		t.List.Objects = slices.DeleteFunc(slices.Clone(t.List.Objects), func(have fyne.CanvasObject) bool { return have == o })
		t.refit()
	}
	b = t.clock.Add(beats, gone)
	return gone
}

func (t *Toasts) refit() {
	if t.hung != nil && len(t.hung.Objects) > 0 {
		t.hung.Refresh()
	}
	if t.Moved != nil {
		t.Moved()
	}
}

// Settle moves the stack to the position that Clear currently returns. It does nothing if t is
// nil.
func (t *Toasts) Settle() {
	if t != nil && len(t.List.Objects) > 0 {
		t.refit()
	}
}

// aboveFoot centres the stack at the bottom, above the parts of the window that must stay
// visible.
type aboveFoot struct{ t *Toasts }

func (l aboveFoot) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const width = 420
	left, top, bottom := float32(0), float32(0), float32(24)
	if l.t.Clear != nil {
		left, top, bottom = l.t.Clear()
	}
	w := min(float32(width), size.Width-left-40)
	for _, o := range objects {
		h := HeightOf(o, w)
		Place(o, left+float32(int((size.Width-left-w)/2)), cmp.Or(top, size.Height-bottom-h), w, h)
	}
}

func (aboveFoot) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
