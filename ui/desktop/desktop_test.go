package desktop_test

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/waittest"
	"goated/servers/desktop/live"
	"goated/ui/desktop"
	"goated/ui/internal/pagetest"
)

// A desk is a window with only the page, together with a desktop server.
type desk struct {
	*pagetest.Desk
	view   *live.View
	page   *desktop.Page
	server *live.Reporter
	leave  func()
	orders chan string
	shade  atomic.Uint32
	open   atomic.Int32 // the number of open mirrors
}

// Call answers the server as goated does.
func (d *desk) Call(ctx context.Context, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	value, err := d.view.Answer(func(context.Context, string, json.RawMessage) (any, error) { return nil, errors.New("unknown") })(ctx, method, text)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(value); err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

func newDesk(t testing.TB, dark bool) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t, dark, fyne.NewSize(440, 396)), view: live.NewView(), orders: make(chan string, 8)}
	d.page = desktop.New(d.Shell, d.view)
	d.Show(d.page.Page)
	d.Shell.Go(func() { d.page.Watch(d.Shell.Ctx) })
	d.page.Open()
	return d
}

// serve connects a server.
func (d *desk) serve() {
	var once sync.Once
	d.server = live.NewReporter(d, "Ctrl+Alt+Esc", func() { d.orders <- "halt" }, func() { d.orders <- "resume" })
	d.T.Cleanup(func() { once.Do(d.server.Close) })
	d.leave = func() { once.Do(d.server.Close) }
	d.Until("the server is there", func() bool { return d.Reads("Idle") })
}

// Take returns a picture of the hidden desktop. The colour of the picture is shade.
func (d *desk) Take(_ context.Context, within image.Point) (*image.RGBA, error) {
	p := image.NewRGBA(image.Rect(0, 0, min(within.X, 1280), min(within.X, 1280)*800/1280))
	draw.Draw(p, p.Rect, image.NewUniform(color.Gray{byte(d.shade.Load())}), image.Point{}, draw.Src)
	return p, nil
}

func (d *desk) Close() { d.open.Add(-1) }

// soon waits for a condition that no event of the page announces.
func (d *desk) soon(what string, cond func() bool) {
	d.T.Helper()
	d.Until(what, func() bool {
		if cond() {
			return true
		}
		time.Sleep(15 * time.Millisecond)
		d.Shell.Post(func() {})
		return false
	})
}

// hidden starts a hidden desktop.
func (d *desk) hidden() (gone func()) {
	return d.view.Mirror(func(context.Context) (live.Mirror, error) { d.open.Add(1); return d, nil })
}

// at returns the colour at a point of the page.
func (d *desk) at(x, y int) byte {
	r, _, _, _ := d.Picture().At(x, y).RGBA()
	return byte(r >> 8)
}

func TestThePageShowsTheHiddenDesktopLive(t *testing.T) {
	d := newDesk(t, false)
	if !d.Says("No model is using an application") || d.Pressable("Stop everything") {
		t.Errorf("without a server it says %q", d.Texts())
	}
	gone := d.hidden()
	d.serve()
	d.Until("it is there", func() bool { return d.Reads("a hidden desktop; mouse and keys stay yours") })
	for _, shade := range []byte{90, 160} {
		d.shade.Store(uint32(shade))
		d.soon("the picture follows", func() bool { return d.at(220, 126) == shade })
	}
	end := d.server.Begin("ClickElement", `the button "7"`)
	d.Until("the action is shown", func() bool { return d.Reads(`Click the button "7"`) && d.Reads("Working") })
	d.Look("desktop-page")
	end(errors.New("the user stopped the desktop tools"))
	d.Until("its failure is shown", func() bool { return d.Says("failed: The user stopped") && d.Reads("Idle") })
	d.server.Begin("Bend", "a window with \u202eevil")(nil)
	d.Until("hidden characters are marked", func() bool { return d.Says("Bend: a window with ⟨U+202E⟩evil") })

	d.page.Veil(true)
	d.soon("no picture is taken for a hidden window", func() bool { return d.open.Load() == 0 })
	d.page.Veil(false)
	d.soon("it is taken again", func() bool { return d.at(220, 126) == 160 })
	gone()
	d.Until("its end is shown", func() bool { return d.Says("works on your own desktop") })
	d.soon("no connection stays", func() bool { return d.open.Load() == 0 })
	d.leave()
}

func TestTheUserStopsAndResumes(t *testing.T) {
	d := newDesk(t, false)
	d.serve()
	d.Press("Stop everything")
	if o := waittest.Receive(t, "the order to halt", d.orders); o != "halt" {
		t.Error("the server was told to", o)
	}
	d.server.Halted(true)
	const stopped = "You stopped the desktop tools. They refuse every action until you resume."
	d.Until("the page says so", func() bool { return d.Reads("Stopped") && d.Reads(stopped) })
	d.Look("desktop-stopped")
	if d.page.Bar.Root.Hidden || d.Pressable("Stop everything") {
		t.Error("the conversation does not say that everything is stopped, or it can be stopped again")
	}
	d.Press("Resume")
	if o := waittest.Receive(t, "the order to go on", d.orders); o != "resume" {
		t.Error("the server was told to", o)
	}
	d.server.Halted(false)
	d.Until("it goes on", func() bool { return !d.Reads(stopped) && d.page.Bar.Root.Hidden })
}

// If no key stops the server, as on some Wayland desktops, the page names the button that does.
func TestThePageSaysThatNoKeyStops(t *testing.T) {
	d := newDesk(t, false)
	const says = "your own desktop; no keyboard shortcut stops it here: use Stop everything"
	d.serve()
	if d.Reads(says) {
		t.Error("there is a key")
	}
	d.server.SetHaltKey("")
	d.Until("the page says so", func() bool { return d.Reads(says) })
	d.server.SetHaltKey("Ctrl+Alt+Esc")
	d.Until("the key is back", func() bool { return !d.Reads(says) })
}

// Pictures are taken only while the page is open.
func TestAClosedPageTakesNoPictures(t *testing.T) {
	d := newDesk(t, true)
	d.hidden()
	d.shade.Store(70)
	d.soon("there is a picture", func() bool { return d.at(220, 126) == 70 })
	d.Shell.Main.Close()
	d.soon("the connection is closed", func() bool { return d.open.Load() == 0 })
	d.page.Open()
	d.soon("it is open again", func() bool { return d.open.Load() == 1 })
}
