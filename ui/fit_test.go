package ui

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/config"
	"goated/internal/inspect"
	"goated/internal/install"
	"goated/servers/llmem/browse"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/richtext"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// Everything that is written fits where it is written, also in the smallest
// window, on screens of any density.
func TestNothingIsClipped(t *testing.T) {
	for name, draw := range states(t) {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, everything(t))
			d.frame.win.Resize(fyne.NewSize(640, 480))
			d.see(samples.Servers())
			draw(d)
			d.frame.win.Resize(fyne.NewSize(1280, 840))
			d.frame.layout()
			fits(t, d, "in a large window")
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

// The sheet for a server fits, whatever it offers: an empty field, words to search for, an
// unknown program, a server of a package.
func TestAddSheetFits(t *testing.T) {
	for _, text := range []string{"", "weather", strings.Repeat("W", 60), strings.Repeat("wide words ", 5), "npx -y @acme/" + strings.Repeat("long", 40), "/no/such/file.py"} {
		for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
			d := newDesk(t, everything(t))
			d.frame.win.Resize(size)
			d.servers.Connect()
			d.servers.Connector.Path.Put(text)
			fits(t, d, fmt.Sprintf("%.20q in %v", text, size))
		}
	}
}

// What each command opens fits, in a large window and in the smallest one.
func TestWhatCommandsOpenFits(t *testing.T) {
	for i := range newDesk(t, everything(t)).commands.all() {
		for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
			if testing.Short() && size.Width > 640 {
				continue
			}
			d := newDesk(t, everything(t))
			d.frame.win.Resize(size)
			d.see(samples.Servers())
			c := d.commands.all()[i]
			if c.ID == "quit" || c.Enabled != nil && !c.Enabled() {
				continue
			}
			c.Run()
			d.frame.layout()
			fits(t, d, fmt.Sprintf("%s in %v", c.ID, size))
		}
	}
}

// everything are the options of a window with all that goated has, as users see it.
func everything(t *testing.T) Options {
	dir := t.TempDir()
	installer := install.New(dir, "", "linux")
	return Options{
		Bundled: []config.Bundled{{Name: "ghost", Default: true}},
		Files:   Files{DataDir: dir, LogFile: dir + "/logs/goated.log", Installer: &installer},
		Pages: PageOptions{
			Recorder: new(inspect.Recorder),
			Browse:   func(string) (browse.Workspace, error) { return nil, errBoom },
		},
		Desktop: DesktopOptions{Tray: true},
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
		} else if s := cutBy(d, o); s != nil {
			from := driver.AbsolutePositionForObject(s).X
			t.Errorf("%s: %q is from %g to %g in a part from %g to %g", when, text, at.X, at.X+o.Size().Width, from, from+s.Size().Width)
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
		check(b, b.Text, test.WidgetRenderer(b).MinSize().SubtractWidthHeight(0, 2)) // the rows of the sidebar are lower
		return false
	})
}

// cutBy is the part of the window that cuts an object off at its side; nil if none does.
// A part that scrolls sideways cuts nothing off.
func cutBy(d *desk, o fyne.CanvasObject) *container.Scroll {
	driver := fyne.CurrentApp().Driver()
	left := driver.AbsolutePositionForObject(o).X
	for _, s := range kit.ScrollersAround(d.front(), o, nil) {
		from := driver.AbsolutePositionForObject(s).X
		if s.Direction == container.ScrollVerticalOnly && (left < from-1 || left+o.Size().Width > from+s.Size().Width+1) {
			return s
		}
	}
	return nil
}
