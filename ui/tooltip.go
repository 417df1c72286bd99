package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// tipBeats is how long the pointer rests on a button before its name comes up.
const tipBeats = 6

// tips show the names of buttons that are only an icon. They hang in the same
// layer as the toasts, and take nothing from the pointer.
type tips struct {
	layer *fyne.Container
	clock *clock
	wait  *beat
}

func newTips(c *clock) *tips { return &tips{clock: c, layer: container.NewWithoutLayout()} }

// name gives a button a tooltip. Pressing it, or moving on, takes it away.
func (t *tips) name(b *button, text string, s shortcut) *button {
	return t.tell(b, func() string { return text }, s)
}

// tell gives a button a tooltip that says what holds when it comes up.
func (t *tips) tell(b *button, text func() string, s shortcut) *button {
	b.OnHover = func(on bool) {
		t.hide()
		if !on {
			return
		}
		t.wait = t.clock.add(tipBeats, func() {
			t.hide()
			t.show(b, text(), s)
		})
	}
	return b
}

func (t *tips) hide() {
	if t.wait != nil {
		t.clock.remove(t.wait)
		t.wait = nil
	}
	if len(t.layer.Objects) > 0 {
		t.layer.Objects = nil
		t.layer.Refresh()
	}
}

// show draws the name under the button, or over it where there is no room.
func (t *tips) show(b *button, text string, s shortcut) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(b)
	if c == nil {
		return
	}
	words := newLabel(text, 12, colorOnToast).medium()
	parts := []fyne.CanvasObject{words}
	if s.key != "" {
		keys := newLabel(s.String(), 12, colorOnToast)
		parts = append(parts, keys)
	}
	tip := boxed(newPanel(colorToast, colorNone, 7), margin{5, 9, 5, 9}, horizontal(10, nil, parts...))
	size := tip.MinSize()
	at, own := driver.AbsolutePositionForObject(b), b.Size()
	x := min(max(at.X+(own.Width-size.Width)/2, 6), c.Size().Width-size.Width-6)
	y := at.Y + own.Height + 6
	if y+size.Height > c.Size().Height-6 {
		y = at.Y - size.Height - 6
	}
	tip.Move(fyne.NewPos(x, y))
	tip.Resize(size)
	t.layer.Objects = []fyne.CanvasObject{tip}
	t.layer.Refresh()
}
