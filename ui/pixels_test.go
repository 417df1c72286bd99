package ui

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"goated/ui/internal/samples"
)

// Every text of the window begins on a whole pixel of what holds it: Fyne stretches one that
// begins between two by one, and it looks bolder than its neighbours.
func TestTextsOfTheWindowBeginOnWholePixels(t *testing.T) {
	for name, draw := range states(t) {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.see(samples.Servers())
			draw(d)
			for _, width := range []float32{1280, 1013} {
				d.frame.win.Resize(fyne.NewSize(width, 777))
				d.frame.layout()
				seen := 0
				find(d, func(text *canvas.Text) bool {
					if text.Text != "" {
						seen++
						if at := text.Position(); !whole(at.X) || !whole(at.Y) {
							t.Errorf("at a width of %g %q begins at %v", width, text.Text, at)
						}
					}
					return false
				})
				if seen < 5 {
					t.Errorf("only %d texts are seen", seen)
				}
			}
		})
	}
}

func whole(x float32) bool { return math.Abs(float64(x)-math.Round(float64(x))) < 0.02 }
