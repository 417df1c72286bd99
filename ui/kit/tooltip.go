package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// tooltipBeats is the delay before a tooltip appears, in beats.
const tooltipBeats = 6

// Tooltips shows the names of buttons without text. A tooltip is in the layer of the toasts and
// receives no pointer events.
type Tooltips struct {
	Layer *fyne.Container
	clock *Clock
	wait  *Ticker
}

func NewTooltips(c *Clock) *Tooltips { return &Tooltips{clock: c, Layer: container.NewWithoutLayout()} }

// Name gives a button a tooltip with a fixed text. The tooltip disappears on a press
// and when the pointer leaves.
func (t *Tooltips) Name(b *Button, text string, s Shortcut) *Button {
	return t.Tell(b, func() string { return text }, s)
}

// Tell gives a button a tooltip that calls text each time it appears.
func (t *Tooltips) Tell(b *Button, text func() string, s Shortcut) *Button {
	b.OnHover = t.over(b, text, s)
	return b
}

// Explain gives a region a tooltip that calls text each time it appears.
func (t *Tooltips) Explain(h *Tappable, text func() string) {
	h.OnHover = t.over(h, text, Shortcut{})
}

// over returns a function that runs when the pointer enters or leaves o.
func (t *Tooltips) over(o fyne.CanvasObject, text func() string, s Shortcut) func(bool) {
	return func(on bool) {
		t.Hide()
		if !on {
			return
		}
		t.wait = t.clock.Add(tooltipBeats, func() {
			t.Hide()
			t.show(o, text(), s)
		})
	}
}

func (t *Tooltips) Hide() {
	if t.wait != nil {
		t.clock.Remove(t.wait)
		t.wait = nil
	}
	if len(t.Layer.Objects) > 0 {
		t.Layer.Objects = nil
		t.Layer.Refresh()
	}
}

// tooltipWidth is the maximal width of a tooltip. A longer text wraps.
const tooltipWidth = 420

// show draws the tooltip below an object, or above it if there is no room below. It shows nothing
// for an object that has left the window since the pointer entered it, for example a button of a
// redrawn card. Fyne reports the top left corner as the position of such an object.
func (t *Tooltips) show(b fyne.CanvasObject, text string, s Shortcut) {
	c, at := CanvasOf(b), PositionOf(b)
	if c == nil || at.X <= 0 && at.Y <= 0 {
		return
	}
	words := NewLabel(text, 12, colorOnToast).Medium()
	parts := []fyne.CanvasObject{words}
	if s.Key != "" {
		keys := NewLabel(s.String(), 12, colorOnToast)
		parts = append(parts, keys)
	}
	ground, margin := NewPanel(colorToast, ColorNone, 7), Margin{5, 9, 5, 9}
	tip := Boxed(ground, margin, Horizontal(10, nil, parts...))
	size := tip.MinSize()
	if most := min(tooltipWidth, c.Size().Width-12); s.Key == "" && size.Width > most {
		tip = Boxed(ground, margin, NewText(text, 12, 18, colorOnToast))
		size = fyne.NewSize(most, HeightOf(tip, most))
	}
	own := b.Size()
	x := min(max(at.X+(own.Width-size.Width)/2, 6), c.Size().Width-size.Width-6)
	y := at.Y + own.Height + 6
	if y+size.Height > c.Size().Height-6 {
		y = at.Y - size.Height - 6
	}
	tip.Move(fyne.NewPos(x, y))
	tip.Resize(size)
	t.Layer.Objects = []fyne.CanvasObject{tip}
	t.Layer.Refresh()
	t.wait = t.clock.Add(tooltipBeats, func() { // no pointer leaves a button that its owner removes
		if PositionOf(b) != at {
			t.Hide()
		}
	})
}
