package ui_test

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/pagetest"
	"goated/ui/internal/samplechat"
	"goated/ui/internal/screentest"
)

// A desk is a window under test. It uses the window as a person does, through its embedded
// screen. The window posts functions to queue, and the goroutine of the test runs them, because
// Fyne's test driver has no UI goroutine.
type desk struct {
	*screentest.Screen
	window  *ui.Window
	dialogs *ui.Dialogs
	queue   chan func()
	clock   time.Time
	opened  chan string // addresses that the window asked the desktop to open
	openErr error       // returned for the next address
	host    *client.Host
	saved   *savedSettings
	model   *listener                        // of keeping
	drop    func(fyne.Position, ...fyne.URI) // drops files onto the window
	driver  fyne.Driver                      // of the app; Fyne's test driver, if nil
	loop    func()                           // what the app runs
}

// savedSettings stores the settings that the window saves. It is safe for concurrent use.
type savedSettings struct {
	mu   sync.Mutex
	last config.Settings
}

func (k *savedSettings) save(s config.Settings) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = s
	return nil
}

// get returns the most recently saved settings.
func (k *savedSettings) get() config.Settings {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last
}

// An app is Fyne's test app. It keeps the window that it makes and the addresses that it is
// asked to open.
type app struct {
	fyne.App
	d *desk
}

func (a app) NewWindow(title string) fyne.Window {
	w := a.App.NewWindow(title)
	a.d.Screen = screentest.New(a.d.T, w)
	return droppable{w, a.d}
}

// A droppable is a window that accepts dropped files. Fyne's test window accepts none.
type droppable struct {
	fyne.Window
	d *desk
}

func (w droppable) SetOnDropped(f func(fyne.Position, []fyne.URI)) {
	w.d.drop = func(at fyne.Position, files ...fyne.URI) { f(at, files) }
}

// Quit fails the test, because the real Quit may close a window after Fyne ended GLFW.
func (a app) Quit() { a.d.T.Error("the app is told to quit, not its loop") }

func (a app) Run() { a.d.loop() }

func (a app) Driver() fyne.Driver { return cmp.Or(a.d.driver, a.App.Driver()) }

func (a app) OpenURL(u *url.URL) error {
	select {
	case a.d.opened <- u.String():
	default: // no test looks at so many
	}
	return a.d.openErr
}

func newDesk(t testing.TB, o ui.Options) *desk {
	t.Helper()
	if o.Probe == nil {
		o.Probe = samplechat.Sandbox // independent of the system that runs the tests
	}
	d := &desk{
		Screen: screentest.New(t, nil), queue: make(chan func(), 10_000), opened: make(chan string, 100),
		clock: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), host: o.Host, saved: &savedSettings{last: o.Settings},
	}
	if o.Save == nil {
		o.Save, o.Settings.Welcomed = d.saved.save, true
	}
	if o.Agent.NewSession == nil {
		o.Agent.NewSession = func() *agent.Session { return &agent.Session{} }
	}
	if o.Agent.Model == "" {
		o.Agent.Model = "gemini-flash-latest"
	}
	if o.Dialogs == nil {
		o.Dialogs = ui.NewDialogs()
	}
	d.dialogs = o.Dialogs
	o.Post = func(f func()) { d.queue <- f }
	a := app{pagetest.NewApp(t), d}
	fyne.SetCurrentApp(a) // until the test ends; see NewTempApp
	d.window = ui.New(a, o)
	d.window.SetNow(func() time.Time { return d.clock })
	d.Window.Resize(fyne.NewSize(1280, 840))
	return d
}

// shown returns a window that is on the screen. It closes when the test ends.
func shown(t testing.TB, o ui.Options) *desk {
	t.Helper()
	d := newDesk(t, o)
	d.window.Show()
	t.Cleanup(d.window.Close)
	return d
}

// patience is how long a test waits for an expected event. It only determines how soon a
// failing test stops.
const patience = 30 * time.Second

// until runs the functions that the window posts until cond holds. Events outside the window
// post nothing, so it also tries cond periodically.
func (d *desk) until(what string, cond func() bool) {
	d.T.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !cond() {
		select {
		case f := <-d.queue:
			f()
		case <-again.C:
		case <-deadline:
			d.T.Fatalf("waited without success until %s; the screen shows %q", what, d.Texts())
		}
	}
}

// sees waits until the top layer shows text.
func (d *desk) sees(text string) {
	d.T.Helper()
	d.until("the screen shows "+text, func() bool { return d.Reads(text) })
}

// later skips the time during which a dialog takes no answer.
func (d *desk) later() { d.clock = d.clock.Add(time.Second) }

// beats lets n tenths of a second pass for animations.
func (d *desk) beats(n int) { d.window.Tick(n) }

// busy reports whether a turn is running in the shown conversation.
func (d *desk) busy() bool { return d.PageIcons("stop") > 0 }

// idle waits until no turn is running in the shown conversation.
func (d *desk) idle() {
	d.T.Helper()
	d.until("the turn ends", func() bool { return !d.busy() })
}

// settled waits until no turn is running and the history contains the whole turn.
func (d *desk) settled() {
	d.T.Helper()
	d.until("the turn is saved", d.window.Settled)
}

// composer is the hint of the message field.
const composer = "Ask anything, or ask for a tool…"

// write replaces the text in the composer.
func (d *desk) write(text string) { d.T.Helper(); d.Enter(composer, text) }

// draft returns the text in the composer.
func (d *desk) draft() string { d.T.Helper(); return d.Field(composer) }

// closeSheets closes everything that covers the page.
func (d *desk) closeSheets() {
	d.T.Helper()
	for range 10 {
		if d.Layers() == 0 {
			return
		}
		d.Key(fyne.KeyEscape)
	}
	d.T.Fatalf("Escape does not close %q", d.Texts())
}

// send types a message and presses Enter.
func (d *desk) send(text string) {
	d.T.Helper()
	d.write(text)
	d.Key(fyne.KeyReturn)
}

// says sends a message and waits until its turn is saved.
func (d *desk) says(text string) {
	d.T.Helper()
	d.send(text)
	d.settled()
}

// newChat opens an empty conversation.
func (d *desk) newChat() { d.T.Helper(); d.Press("New chat") }

// run runs a command of the palette by its title. It inserts the whole title at once, because
// the palette searches after each typed character.
func (d *desk) run(title string) {
	d.T.Helper()
	d.Ctrl(fyne.KeyK)
	d.Insert(title)
	d.Key(fyne.KeyReturn)
}

// title returns the name of the conversation in the header.
func (d *desk) title() string {
	d.T.Helper()
	left := d.Region(sidebarWidth, 0, 40, 60)
	if len(left) != 1 {
		d.T.Fatalf("the header begins with %q", left)
	}
	return left[0]
}

// transcript returns the texts of the shown conversation from the top.
func (d *desk) transcript() []string { return d.Above(composer, sidebarWidth, 60, 2000, 2000) }

// sidebarWidth is the width of the sidebar.
const sidebarWidth = 260

// sidebar returns the texts of the sidebar from the top.
func (d *desk) sidebar() []string { return d.Region(0, 0, sidebarWidth, 10_000) }

var errBoom = errors.New("the model can't be reached: connection refused")

func background(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}
