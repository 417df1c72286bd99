package ui

import (
	"fmt"
	"testing"

	"goated/internal/config"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/richtext"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Everything that is written fits where it is written, also in the smallest
// window, on screens of any density.
func TestNothingIsClipped(t *testing.T) {
	for name, draw := range states(t) {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.frame.win.Resize(fyne.NewSize(640, 480))
			d.see(samples.Servers())
			draw(d)
			scales := []float32{1, 1.5, 2}
			if testing.Short() {
				scales = scales[:1]
			}
			for _, scale := range scales {
				if c, ok := d.frame.win.Canvas().(test.WindowlessCanvas); ok {
					c.SetScale(scale)
				}
				d.frame.win.Resize(fyne.NewSize(640, 480))
				d.frame.layout()
				fits(t, d, fmt.Sprintf("at %g", scale))
			}
			d.frame.win.Resize(fyne.NewSize(640, 420)) // of 1280 by 840 at 200 %
			fits(t, d, "zoomed")
		})
	}
}

// A window that filled the screen fills it after a restart, although Fyne rounds its size at
// some zooms. One that is too high leaves room for a title bar.
func TestWindowFitsTheScreen(t *testing.T) {
	screen := fyne.NewSize(1280, 840)
	for height, want := range map[float32]float32{700: 700, 840: 840, 841: 840, 842: 840, 900: 840 - titleBar} {
		o := Options{Settings: config.Settings{Width: 1280, Height: height}}
		o.Desktop.Room = func(fyne.Window) fyne.Size { return screen }
		if got := newDesk(t, o).fit().Height; got != want {
			t.Errorf("a window of %g opens with %g, want %g", height, got, want)
		}
	}
}

// fits looks at all that is visible on the top layer.
func fits(t *testing.T, d *desk, when string) {
	t.Helper()
	driver := fyne.CurrentApp().Driver()
	wide := d.frame.win.Canvas().Size().Width
	check := func(o fyne.CanvasObject, text string, need fyne.Size) {
		if text == "" || o.Size().Width == 0 && o.Size().Height == 0 {
			return
		}
		if at := driver.AbsolutePositionForObject(o); need.Width > o.Size().Width+1 || need.Height > o.Size().Height+1 {
			t.Errorf("%s: %q needs %v and has %v", when, text, need, o.Size())
		} else if at.X < -1 || at.X+o.Size().Width > wide+1 {
			t.Errorf("%s: %q is from %g to %g in a window of %g", when, text, at.X, at.X+o.Size().Width, wide)
		}
	}
	find(d, func(l *kit.Label) bool {
		need := l.Measure(l.Text)
		if l.Ellipsis {
			need.Width = 0
		}
		check(l, l.Text, fyne.NewSize(need.Width, 0))
		return false
	})
	find(d, func(p *kit.Paragraph) bool {
		check(p, richtext.PlainText(p.Spans), fyne.NewSize(80, p.HeightFor(p.Size().Width)))
		return false
	})
	find(d, func(b *kit.Button) bool {
		check(b, b.Text, test.WidgetRenderer(b).MinSize())
		return false
	})
}
