package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Fyne drops the renderer of a widget that is hidden for a minute. The next renderer draws the
// widget at its current size.
func TestAnotherRendererIsLaidOut(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	for name, w := range map[string]fyne.Widget{
		"panel":    NewPanel(ColorSurface, ColorBorder, 8),
		"icon":     NewIcon("plug", 16, ColorText),
		"tappable": NewTappable(8, func() {}),
		"button":   NewButton(Ghost, "plug", "Connect", func() {}),
		"spinner":  NewSpinner(NewClock(func(f func()) { f() })),
		"label":    NewLabel("Connect", 13, ColorText),
	} {
		w.Resize(fyne.NewSize(120, 40))
		for i, o := range w.CreateRenderer().Objects() {
			if o.Visible() && o.Size().IsZero() {
				t.Errorf("%s: part %d has no size", name, i)
			}
		}
	}
}
