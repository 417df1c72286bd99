package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// greeting is what an empty conversation shows.
func (t *transcript) greeting() *fyne.Container {
	mark := newMark()
	hello := newLabel("What shall we do?", 24, colorText).strong()
	hello.centre = true
	lead := newLead("Ask in your own words. Connected tools do the work, and ask you first.", 480)
	examples := vertical(8)
	for _, e := range []struct{ icon, text string }{
		{"folder", "List the files in ."},
		{"chat", "Remember coffee as flat white"},
		{"info", "What do you remember about coffee"},
	} {
		spot := newHotspot(12, func() {
			if t.OnExample != nil {
				t.OnExample(e.text)
			}
		})
		spot.rest(colorSurface, colorBorder)
		text := newLabel(e.text, 14, colorText).elided()
		examples.Add(container.New(fixed{fyne.NewSize(1, 46)}, spot,
			inset(margin{0, 16, 0, 16}, horizontal(12, text, newGlyph(e.icon, 16, colorAccent), text))))
	}
	icon := container.New(measure{width: 64}, sized(64, 64, mark))
	column := vertical(0, icon, inset(margin{20, 0, 8, 0}, hello), inset(margin{0, -20, 0, -20}, lead),
		inset(margin{28, 0, 0, 0}, examples))
	rest := append([]fyne.CanvasObject{icon}, examples.Objects...)
	return container.New(middle{rest}, container.New(measure{440, 24}, column))
}

// newLead is a sentence in the middle, under a title: on one line where it has
// room for it, and else on as many as it needs.
func newLead(text string, room float32) fyne.CanvasObject {
	line := newLabel(text, 14, colorMuted)
	line.centre = true
	if line.MinSize().Width <= room {
		return line
	}
	lines := newText(text, 14, 20, colorMuted)
	lines.centre = true
	return lines
}

// middle puts its object a little above the centre, where it looks centred. Where
// there is no room for all of it, some of it goes, the last first.
type middle struct{ goes []fyne.CanvasObject }

func (l middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		for _, g := range l.goes {
			g.Show()
		}
		h := heightOf(o, size.Width)
		for i := len(l.goes) - 1; i >= 0 && h > size.Height; i-- {
			l.goes[i].Hide()
			h = heightOf(o, size.Width)
		}
		place(o, 0, max(float32(int((size.Height-h)*0.44)), 0), size.Width, h)
	}
}

func (middle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
