package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/inspect"
	"goated/internal/install"
	"goated/servers/llmem/browse"
	"goated/ui"
	"goated/ui/internal/pagetest"
	"goated/ui/internal/samplechat"
)

var (
	usualSize    = fyne.NewSize(1280, 840)
	smallestSize = fyne.NewSize(640, 480)
	narrow       = fyne.NewSize(480, 840) // beside another window, narrower than goated's default
)

// All text fits into its place, even in the smallest window and on screens of any density.
func TestNothingIsClipped(t *testing.T) {
	layout(t)
	for name, s := range scenes(t) {
		t.Run(name, func(t *testing.T) {
			d := s.in(t, everything(t), smallestSize)
			d.Window.Resize(usualSize)
			d.fits("in a large window")
			for _, scale := range []float32{1, 1.5, 2} {
				d.Canvas().(test.WindowlessCanvas).SetScale(scale)
				d.Window.Resize(smallestSize)
				d.fits(fmt.Sprintf("at %g", scale))
			}
			d.Window.Resize(fyne.NewSize(640, 420)) // of 1280 by 840 at 200 %
			d.fits("zoomed")
			d.Window.Resize(narrow)
			d.fits("beside another window")
		})
	}
}

// The sheet that adds a server fits with any content: an empty field, words to search for, an
// unknown program, a server of a package. Its buttons fit into a narrow window, too.
func TestAddSheetFits(t *testing.T) {
	layout(t)
	for _, text := range []string{"", "weather", strings.Repeat("W", 60), strings.Repeat("wide words ", 5), "npx -y @acme/" + strings.Repeat("long", 40), "/no/such/file.py"} {
		for _, size := range []fyne.Size{usualSize, smallestSize, narrow} {
			d := newDesk(t, everything(t))
			d.Window.Resize(size)
			d.run("Connect a tool…")
			d.Enter(scriptField, text)
			d.fits(fmt.Sprintf("%.20q in %v", text, size))
		}
	}
}

// The name of a package stays within its card. If there is no room beside the name, the version
// stands below it.
func TestLongPackageStaysInItsCard(t *testing.T) {
	const name, version = "@acme-tools/server-for-the-team-calendar", "pinned to 1.2.3"
	d := newDesk(t, ui.Options{})
	d.Window.Resize(narrow)
	d.run("Connect a tool…")
	d.Enter(scriptField, "npx -y "+name+"@1.2.3")
	field, room, _ := d.PlaceOfField("Name")
	at, size, _ := d.Place(name)
	if end := field.X + room.Width; at.X+size.Width > end+8 {
		t.Errorf("the package ends at %v, and its card at %v", at.X+size.Width, end)
	}
	if below, _, seen := d.Place(version); !seen || below.X != at.X || below.Y <= at.Y {
		t.Errorf("the version is at %v, seen: %t, and the package at %v", below, seen, at)
	}
}

// Each command of the palette opens something that fits into a large window and into the
// smallest one.
func TestWhatCommandsOpenFits(t *testing.T) {
	open := func(size fyne.Size) *desk {
		d := newDesk(t, everything(t))
		d.Window.Resize(size)
		d.window.ShowServers(samplechat.Servers())
		return d
	}
	for _, title := range open(usualSize).commands() {
		for _, size := range []fyne.Size{usualSize, smallestSize} {
			if testing.Short() && size.Width > 640 || title == "Quit goated" {
				continue
			}
			d := open(size)
			d.run(title)
			d.fits(fmt.Sprintf("%s in %v", title, size))
			for _, long := range d.LongHints() { // a scroll bar covered the end of the hint for a server
				t.Errorf("%s in %v: %s", title, size, long)
			}
		}
	}
}

// commands returns the titles of the commands in the palette.
func (d *desk) commands() (all []string) {
	d.T.Helper()
	for _, group := range []string{"Conversation", "Tools", "Window"} {
		d.Ctrl(fyne.KeyK)
		d.Type(group)
		texts := d.Texts()
		for i, text := range texts {
			if text == group && i > 1 {
				all = append(all, texts[i-1])
			}
		}
		d.Key(fyne.KeyEscape)
	}
	if len(all) < 30 {
		d.T.Fatalf("the palette shows only %q", all)
	}
	return all
}

// everything returns the options of a window with all features of goated.
func everything(t *testing.T) ui.Options {
	dir := t.TempDir()
	installer := install.New(dir, "", "linux")
	return ui.Options{
		Bundled: []config.Bundled{{Name: "ghost", Default: true}},
		Files:   ui.Files{DataDir: dir, LogFile: dir + "/logs/goated.log", Installer: &installer},
		Pages: ui.PageOptions{
			Recorder: new(inspect.Recorder),
			Browse:   func(string) (browse.Workspace, error) { return nil, errBoom },
		},
		Desktop: ui.DesktopOptions{Tray: true},
	}
}

// A window that filled the screen fills it again after a restart, although Fyne rounds its size
// at some zooms. A window that is too high leaves room for a title bar.
func TestWindowFitsTheScreen(t *testing.T) {
	const titleBar = 32
	for height, want := range map[float32]float32{700: 700, 840: 840, 841: 840, 842: 840, 900: 840 - titleBar} {
		var w fyne.Window
		o := ui.Options{Settings: config.Settings{Width: 1280, Height: height}}
		o.Agent.NewSession = func() *agent.Session { return &agent.Session{} }
		o.Desktop.Room = func(its fyne.Window) fyne.Size { w = its; return usualSize }
		ui.New(pagetest.NewApp(t), o)
		if got := w.Canvas().Size().Height; got != want {
			t.Errorf("a window of %g opens with %g, want %g", height, got, want)
		}
	}
}

// fits fails the test for each text of the top layer that does not fit.
func (d *desk) fits(when string) {
	d.T.Helper()
	for _, misfit := range d.Misfits() {
		d.T.Errorf("%s: %s", when, misfit)
	}
}
