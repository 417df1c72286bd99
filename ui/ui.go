// Package ui is goated's window. It shows conversations, asks the user's
// permission, and connects servers; what it shows is decided by [goated/ui/view],
// and what it does is done by the sessions and the host that it is given.
//
// Everything in it belongs to the UI goroutine, except where it says otherwise.
// It never imports fyne's app package, so that its tests need no display.
package ui

import (
	"context"
	"strconv"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/agent"
	"goated/assets"
	"goated/client"
	"goated/ui/view"
)

// Options are what a window works with.
type Options struct {
	Host       *client.Host
	NewSession func() *agent.Session // one for each conversation
	Dialogs    *Dialogs
	Model      string // label in the header, such as "gemini-flash-latest" or "offline"
	Notice     string // a sentence above the composer; may be empty
	Dark       *bool  // nil: as the system is
}

// A Window is goated's window. It owns its goroutines: the watch of the host,
// the turns of its conversations, and its clock.
type Window struct {
	app     fyne.App
	options Options
	queue   func(func())     // runs a function on the UI goroutine, soon; see post
	now     func() time.Time // for the guard of dialogs

	ctx    context.Context // of everything that is under way; ends with Close
	cancel context.CancelFunc
	group  sync.WaitGroup
	ending sync.Once
	closed bool

	chats   []*conversation
	current int
	servers client.Snapshot

	clock   *clock
	paint   *painter
	dialogs *Dialogs
	page
}

// A page is what the window is made of.
type page struct {
	win        fyne.Window
	root       *fyne.Container
	slot       *fyne.Container // for toasts while no sheet is open
	title      *label
	plug       *button
	sidebar    *sidebar
	transcript *transcript
	composer   *composer
	toasts     *toasts

	sheets    []*sheet
	asked     *asking    // the question that is shown; nil if none is
	connector *connector // nil unless open
	joining   context.CancelFunc
	viewer    *viewer // nil unless open
}

// New makes the window of app. Call it on the UI goroutine, or before app runs.
func New(app fyne.App, o Options) *Window { return newWindow(app, o, fyne.Do) }

func newWindow(app fyne.App, o Options, post func(func())) *Window {
	if o.Dialogs == nil {
		o.Dialogs = NewDialogs()
	}
	app.Settings().SetTheme(look{dark: o.Dark})
	icon := fyne.NewStaticResource("goated.png", assets.IconPNG)
	app.SetIcon(icon)
	w := &Window{app: app, options: o, queue: post, now: time.Now, dialogs: o.Dialogs}
	w.clock, w.paint = newClock(w.post), newPainter(w.post, w.refresh)
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.build()
	w.newChat()
	w.see(client.Snapshot{})
	return w
}

// Run shows the window and runs the app until it is closed or ctx ends, and then
// closes what is left. It must be called on the main goroutine.
func (w *Window) Run(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { w.queue(w.app.Quit) })()
	w.Show()
	w.app.Run()
	w.Close()
}

// Show shows the window and starts to watch the host. Call it once.
func (w *Window) Show() {
	w.start()
	w.win.Show()
	focus(w.composer.input)
}

// post runs f on the UI goroutine, soon. It is the only way there from another
// goroutine. Once the window is closed it does nothing: Fyne would then run f
// where it is.
func (w *Window) post(f func()) {
	if w.ctx.Err() == nil {
		w.queue(f)
	}
}

// begin runs f on a goroutine that Close waits for.
func (w *Window) begin(f func()) {
	if w.ctx.Err() == nil {
		w.group.Go(f)
	}
}

func (w *Window) start() {
	w.group.Go(func() { w.clock.run(w.ctx) })
	w.group.Go(func() { w.paint.run(w.ctx) })
	if w.options.Host != nil {
		w.group.Go(w.watch)
	}
	w.dialogs.watch(func() { w.post(w.sync) })
}

// Close cancels the turns, answers cancel to all open questions, and waits until
// no goroutine of the window is left. It may be called from any goroutine, and
// more than once.
func (w *Window) Close() {
	w.ending.Do(func() {
		w.cancel()
		w.dialogs.close()
	})
	w.group.Wait()
}

// watch follows the host's servers. Of states that come faster than they are
// drawn, only the last is.
func (w *Window) watch() {
	for s := range w.options.Host.Watch(w.ctx) {
		drawn := make(chan struct{})
		w.post(func() { w.see(s); close(drawn) })
		select {
		case <-drawn:
		case <-w.ctx.Done():
			return
		}
	}
}

// see shows the state of the servers.
func (w *Window) see(s client.Snapshot) {
	w.servers = s
	badge := ""
	if n := s.Connected(); n > 0 {
		badge = strconv.Itoa(n)
	}
	w.plug.setBadge(badge)
	w.head()
	if n := s.Tools(); n > 0 {
		w.composer.tools.set(view.ToolCount(n))
	} else {
		w.composer.tools.set("No tools yet")
	}
	w.composer.root.Refresh()
	if w.connector != nil {
		w.connector.show(s)
	}
}

// build makes the page.
func (w *Window) build() {
	w.win = w.app.NewWindow("goated")
	w.win.SetMaster()
	w.win.SetPadded(false)
	w.win.SetIcon(w.app.Icon())
	w.win.Resize(fyne.NewSize(1280, 840))
	w.win.SetOnClosed(func() {
		w.closed = true
		w.cancel()
		w.dialogs.close()
	})

	w.sidebar = newSidebar("Tools run on this computer. goated asks before a tool runs.")
	w.sidebar.OnNew = w.newChat
	w.sidebar.OnSelect = w.choose

	w.transcript = newTranscript(w.clock)
	w.transcript.OnCopy = w.copy
	w.transcript.OnRetry = w.retry
	w.transcript.errands = errands{begin: w.begin, post: w.post, view: w.view, save: w.save, now: func() time.Time { return w.now() }}
	w.transcript.OnExample = func(text string) {
		w.composer.fill(text)
		focus(w.composer.input)
	}

	w.transcript.Begin = w.begin

	w.composer = newComposer(w.clock)
	w.composer.OnSend = w.send
	w.composer.OnStop = w.stop
	w.composer.OnResize = w.head
	w.composer.input.OnRefuse = func(s string) { w.toasts.say("alert", s) }

	w.title = newLabel("", 15, colorText).strong()
	model := newLabel(w.options.Model, 13, colorMuted)
	w.plug = newButton(outline, "plug", "Connect tool", w.connect)
	gap := newLabel("", 12, colorFaint).elided()
	header := inset(margin{0, 20, 0, 28}, horizontal(12, gap, w.title, model, gap, w.plug))

	foot := vertical(10)
	if w.options.Notice != "" {
		text := newText(w.options.Notice, 13, 19, colorMuted)
		foot.Add(boxed(newPanel(colorSoft, colorNone, 11), margin{9, 14, 9, 14},
			container.New(row{gap: 10, flex: text, top: true}, sized(15, 19, newGlyph("info", 15, colorAccent)), text)))
	}
	foot.Add(w.composer.root)
	bottom := container.New(measure{readable + 24, 20}, inset(margin{6, 0, 18, 0}, foot))

	ground := newPanel("background", colorNone, 0)
	main := container.New(&mainArea{header: header, body: w.transcript.root, foot: bottom},
		ground, header, newLine(), w.transcript.root, bottom)
	w.root = container.New(split{}, w.sidebar.root, newLine(), main)
	w.slot = container.New(margin{})
	w.toasts = newToasts(w.clock)
	w.toasts.hang(w.slot)
	w.win.SetContent(container.New(margin{}, w.root, w.slot))

	w.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch e.Name {
		case fyne.KeyEscape:
			w.escape()
		case fyne.KeyPageUp:
			w.page.leaf(-1)
		case fyne.KeyPageDown:
			w.page.leaf(1)
		}
	})
	w.win.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
		switch {
		case w.viewer != nil:
			w.viewer.find()
		case len(w.sheets) == 0:
			w.transcript.find()
		}
	})
	w.win.Canvas().AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) {
		if len(w.sheets) == 0 {
			w.transcript.selectEverything()
		}
	})
	w.win.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyN, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
		if len(w.sheets) == 0 {
			w.newChat()
		}
	})
}

// head lays the page out anew, after something in it changed its size.
func (w *Window) head() {
	if w.root.Size().Width > 0 {
		w.root.Layout.Layout(w.root.Objects, w.root.Size())
	}
}

// leaf scrolls the transcript by most of a page.
func (p *page) leaf(pages float32) {
	if len(p.sheets) == 0 {
		s := p.transcript.scroll.scroll
		s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -pages*0.85*s.Size().Height)})
	}
}

// copy puts text on the clipboard.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.toasts.say("copy", "Copied")
}

// escape closes what is on top, or else stops the turn.
func (w *Window) escape() {
	if n := len(w.sheets); n > 0 {
		if s := w.sheets[n-1]; s.OnClose != nil {
			s.OnClose()
		}
		return
	}
	if w.transcript.closeFind() {
		focus(w.composer.input)
		return
	}
	w.stop()
}

// open puts a sheet on top.
func (w *Window) open(s *sheet) {
	c := w.win.Canvas()
	w.sheets = append(w.sheets, s)
	c.Unfocus() // of what the sheet lies on, which would go on blinking
	s.root.Resize(c.Size())
	c.Overlays().Add(s.root)
	w.toasts.hang(s.slot)
	if s.first != nil {
		c.Focus(s.first)
	}
}

// shut takes a sheet away, wherever it lies.
func (w *Window) shut(s *sheet) {
	for i, have := range w.sheets {
		if have == s {
			w.sheets = append(w.sheets[:i:i], w.sheets[i+1:]...)
			break
		}
	}
	// Fyne takes away all that lies over what is removed; put the rest back.
	overlays := w.win.Canvas().Overlays()
	overlays.Remove(s.root)
	for _, rest := range w.sheets {
		if !contains(overlays.List(), rest.root) {
			overlays.Add(rest.root)
		}
	}
	if n := len(w.sheets); n > 0 {
		w.toasts.hang(w.sheets[n-1].slot)
		return
	}
	w.toasts.hang(w.slot)
	focus(w.composer.input)
}

func contains(list []fyne.CanvasObject, o fyne.CanvasObject) bool {
	for _, have := range list {
		if have == o {
			return true
		}
	}
	return false
}
