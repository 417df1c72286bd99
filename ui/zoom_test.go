package ui_test

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// zooming returns a window that can be zoomed.
func zooming(t *testing.T, size fyne.Size) *desk {
	t.Helper()
	d := newDesk(t, ui.Options{Desktop: ui.DesktopOptions{Scale: func(int) {}}})
	d.Window.Resize(size)
	return d
}

// At a high zoom on a small screen, the content may need more room than the window has, so the
// window grows. At 100 % it returns to its previous size. It once stayed larger than the
// screen.
func TestZoomReturnsToTheSizeOfTheWindow(t *testing.T) {
	d := zooming(t, fyne.NewSize(1000, 668))
	grew := false
	for range 6 {
		d.Ctrl(fyne.KeyEqual)
		size, least := d.Canvas().Size(), d.Canvas().Content().MinSize()
		grew = grew || size.Height < least.Height
		d.Window.Resize(size.Max(least)) // a desktop does the same
		d.clock = d.clock.Add(2 * time.Second)
	}
	if !grew {
		t.Fatal("the content never needs more than the window has: the test tells nothing")
	}
	d.Ctrl(fyne.Key0)
	if size := d.Canvas().Size(); size.Height > 672 || size.Width > 1004 || size.Height < 664 {
		t.Errorf("the window has %v, and had 1000 by 668", size)
	}
}

// Between two quick zoom steps a desktop may report a size that Fyne requested. The window does
// not grow because of it. A size that is reported later comes from the user.
func TestQuickZoomsKeepTheSizeOfTheWindow(t *testing.T) {
	d := zooming(t, fyne.NewSize(1000, 800))
	d.Ctrl(fyne.KeyEqual)
	d.Window.Resize(fyne.NewSize(1000, 800)) // the content at 110 %
	d.Ctrl(fyne.KeyMinus)
	if size := d.Canvas().Size(); size != fyne.NewSize(1000, 800) {
		t.Errorf("the window has %v, and had 1000 by 800", size)
	}
	d.Ctrl(fyne.KeyEqual)
	d.clock = d.clock.Add(2 * time.Second)
	d.Window.Resize(fyne.NewSize(1000, 800))
	d.Ctrl(fyne.KeyMinus)
	if size := d.Canvas().Size(); size != fyne.NewSize(1100, 880) {
		t.Errorf("the window has %v after the user made it larger", size)
	}
}
