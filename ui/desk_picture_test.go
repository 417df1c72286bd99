package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/internal/samples"
)

// The pictures in testdata are the design: a person looks at each before it is saved.
// The typefaces are embedded, so the pictures are the same everywhere.

// layout skips a test of where the window shows what, under the race detector: layout and
// drawing have one goroutine.
func layout(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("layout has one goroutine, and is slow under the race detector")
	}
}

// pictured returns a window with servers in each state, to compare with a picture.
func pictured(t *testing.T, dark bool, o ui.Options) *desk {
	t.Helper()
	layout(t)
	o.Desktop.Dark, o.Pages.Folder = &dark, "/home/ada/trip"
	d := newDesk(t, o)
	d.window.ShowServers(samplechat.Servers())
	return d
}

// looksLike compares the window with a picture. A dark window has a separate picture.
func (d *desk) looksLike(name string, dark bool) {
	d.T.Helper()
	if dark {
		name += "_dark"
	}
	samples.Golden(d.T, name+".png", d.Picture())
}

// chatMiddle is a position in the middle of the conversation.
var chatMiddle = fyne.NewPos(760, 400)

// scrollToTop turns the wheel until the beginning of the conversation is visible.
func (d *desk) scrollToTop() { d.ScrollAt(chatMiddle, 1e9) }
