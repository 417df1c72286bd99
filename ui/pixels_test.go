package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// Each text of the window begins on a whole pixel of its container. Fyne stretches a text that
// begins between two pixels, so it looks bolder than its neighbours.
func TestTextsOfTheWindowBeginOnWholePixels(t *testing.T) {
	layout(t)
	for name, s := range scenes(t) {
		t.Run(name, func(t *testing.T) {
			d := s.in(t, ui.Options{}, usualSize)
			for _, width := range []float32{1280, 1013} {
				d.Window.Resize(fyne.NewSize(width, 777))
				between, texts := d.BetweenPixels()
				for _, text := range between {
					t.Errorf("at a width of %g %s", width, text)
				}
				if texts < 5 {
					t.Errorf("the window shows only %d texts", texts)
				}
			}
		})
	}
}
