// Package pagetest puts a single page into a window, so that a test can use the page as a person
// does. It must not depend on any page.
package pagetest

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/internal/screentest"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A Desk is a window with a page. Its methods belong to the test's goroutine, which is the UI
// goroutine.
type Desk struct {
	*screentest.Screen
	Shell  *shell.Shell
	Copied string    // the clipboard
	Now    time.Time // the clock of the page
	queue  chan func()
	slot   *fyne.Container
}

// New returns a window without a page. Show adds the page.
func New(t testing.TB, dark bool, size fyne.Size) *Desk {
	t.Helper()
	a := NewApp(t)
	a.Settings().SetTheme(kit.Theme{Dark: &dark, Measure: kit.NewMeasure(), Icons: kit.NewIconCache()})
	w := a.NewWindow("")
	w.SetPadded(false)
	w.Resize(size)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	d := &Desk{Screen: screentest.New(t, w), queue: make(chan func(), 10_000), Now: time.Date(2026, 11, 21, 10, 51, 0, 0, time.Local), slot: container.New(kit.Margin{})}
	t.Cleanup(func() { cancel(); group.Wait() })
	post := func(f func()) { d.queue <- f }
	d.Shell = &shell.Shell{
		Ctx: ctx, Post: post, Go: func(f func()) { group.Go(f) }, Now: func() time.Time { return d.Now }, Clock: kit.NewClock(post),
		Main: new(shell.Main), Copy: func(text string) { d.Copied = text },
	}
	d.Shell.Toasts, d.Shell.Tips, d.Shell.Sheets = kit.NewToasts(d.Shell.Clock), kit.NewTooltips(d.Shell.Clock), &shell.Sheets{Window: w, OnTop: func(*kit.Sheet) {}}
	d.Shell.Waiting = shell.NewWaitlist(d.Shell)
	d.Shell.Toasts.Attach(d.slot)
	return d
}

// Show shows a page below a header, as the window does.
func (d *Desk) Show(p *shell.Page) {
	header := p.Header()
	size := d.Canvas().Size()
	p.Area = container.New(frame{}, header, kit.NewLine(), p.Body)
	d.Window.SetContent(container.New(kit.Margin{}, kit.NewPanel("background", kit.ColorNone, 0), p.Area, d.slot))
	d.Window.Resize(size)
	d.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if p.OnKey != nil {
			p.OnKey(e)
		}
	})
	d.Window.Show()
}

// frame places the window's header above the page.
type frame struct{}

func (frame) Layout(o []fyne.CanvasObject, size fyne.Size) {
	head := max(56, kit.HeightOf(o[0], size.Width))
	kit.Place(o[0], 0, 0, size.Width, head)
	kit.Place(o[1], 0, head, size.Width, 1)
	kit.Place(o[2], 0, head+1, size.Width, size.Height-head-1)
}

func (frame) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Until runs the functions that the page posts until cond returns true.
func (d *Desk) Until(what string, cond func() bool) {
	d.T.Helper()
	deadline := time.After(30 * time.Second)
	for !cond() {
		select {
		case f := <-d.queue:
			f()
		case <-deadline:
			d.T.Fatalf("waited without success until %s; the screen says %q", what, d.Texts())
		}
	}
}

// Look saves a picture in the folder GOATED_LOOK, for manual inspection.
func (d *Desk) Look(name string) {
	d.T.Helper()
	dir := os.Getenv("GOATED_LOOK")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		d.T.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, d.Picture()); err != nil {
		d.T.Fatal(err)
	}
}
