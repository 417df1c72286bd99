package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/store"
)

func archive(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

func (d *desk) command(t *testing.T, id string) command {
	t.Helper()
	for _, c := range d.commands.all() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no command %q", id)
	return command{}
}

// On a small screen the content may need more room than the window has at a high zoom, so the
// window grows. At 100 % it has its size again: it stayed larger than the screen.
func TestZoomReturnsToTheSizeOfTheWindow(t *testing.T) {
	d := newDesk(t, Options{Desktop: DesktopOptions{Scale: func(int) {}}})
	d.frame.win.Resize(fyne.NewSize(1000, 668))
	for range 6 {
		d.prefs.zoom(1)
		size, least := d.frame.win.Canvas().Size(), d.frame.root.MinSize()
		d.frame.win.Resize(size.Max(least)) // as a desktop does
		d.clock = d.clock.Add(2 * settling)
	}
	if least := d.frame.root.MinSize(); d.prefs.zoomed.size.Height >= least.Height {
		t.Fatalf("the window has its %v, more than %v: the test tells nothing", d.prefs.zoomed.size, least)
	}
	d.prefs.zoom(0)
	if size := d.frame.win.Canvas().Size(); size.Height > 672 || size.Width > 1004 || size.Height < 664 {
		t.Errorf("the window has %v, and had 1000 by 668", size)
	}
}

// Between two quick steps a desktop may report a size that Fyne asked for. The window does not
// grow for that. Later, the user resized it.
func TestQuickZoomsKeepTheSizeOfTheWindow(t *testing.T) {
	d := newDesk(t, Options{Desktop: DesktopOptions{Scale: func(int) {}}})
	d.frame.win.Resize(fyne.NewSize(1000, 800))
	d.prefs.zoom(1)
	d.frame.win.Resize(fyne.NewSize(1000, 800)) // of its content at 110 %
	d.prefs.zoom(-1)
	if size := d.frame.win.Canvas().Size(); size != fyne.NewSize(1000, 800) {
		t.Errorf("the window has %v, and had 1000 by 800", size)
	}
	d.prefs.zoom(1)
	d.clock = d.clock.Add(2 * settling)
	d.frame.win.Resize(fyne.NewSize(1000, 800))
	d.prefs.zoom(-1)
	if size := d.frame.win.Canvas().Size(); size != fyne.NewSize(1100, 880) {
		t.Errorf("the window has %v after the user made it larger", size)
	}
}
