// Package ui is goated's window. It shows conversations, asks the user's
// permission, and connects servers; what it shows is decided by [goated/ui/view],
// and what it does is done by the sessions and the host that it is given.
//
// Everything in it belongs to the UI goroutine, except where it says otherwise.
// It never imports fyne's app package, so that its tests need no display.
package ui

import (
	"context"
	"net/url"
	"strconv"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/assets"
	"goated/client"
	"goated/internal/store"
	"goated/ui/say"
	"goated/ui/view"
)

// Options are what a window works with.
type Options struct {
	Post       func(func()) // runs a function on the UI goroutine, soon; nil: fyne.Do
	Host       *client.Host
	NewSession func() *agent.Session // one for each conversation
	History    *store.Store          // nil: conversations end with the window
	Dialogs    *Dialogs
	Model      string  // label in the header, such as "gemini-flash-latest" or "offline"
	Notice     string  // a sentence above the composer; may be empty
	Unsure     bool    // Model, Notice and NewSession are for now: Remake is called at once
	Warnings   []error // what goes on without, such as a folder that can't be written
	Dark       *bool   // nil: as the settings say

	// Settings are what was saved. Save is called off the UI goroutine, never
	// twice at once; nil: nothing is saved.
	Settings view.Settings
	Save     func(view.Settings) error
	Keys     *Keys         // nil: there is no place for a key
	Secrets  *Secrets      // of the servers; nil: they are kept while the window is there
	Policy   *agent.Policy // whose grants are listed; nil: what is tried is always asked for
	// Remake makes what new conversations use, after the key or the settings
	// have changed. It is called off the UI goroutine.
	Remake  func(context.Context, view.Settings) (Answering, error)
	Bundled []string // names of goated's own servers
	DataDir string
	LogFile string
	// Scale has everything shown at a percentage of its usual size from the next
	// change of the theme on.
	Scale  func(percent int)
	Notify func(title, text string) // called off the UI goroutine; nil: nobody is notified
	// Unread is told how many conversations have something new, when that
	// changes; called off the UI goroutine, never twice at once. nil: nobody is.
	Unread func(n int)
	Tray   bool // a hidden window can be brought back
	// Room is how large a window may be on its screen; zero, or nil: any size.
	Room func(fyne.Window) fyne.Size
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
	fonts  sync.WaitGroup // until loadFonts is done
	ending sync.Once
	closed bool

	warnings []string // that the person has not put away
	unsaved  string   // why something is not saved yet; empty: all is
	barred   error    // why the history is not open; nil: it is, or nobody knows yet

	chats   []*conversation
	current int
	order   int64              // of the conversation that was used last
	unread  unread             // what the desktop is told of it
	removed []removal          // what can be brought back, the last one last
	unseek  context.CancelFunc // of the search over all conversations that is under way
	seeking int                // numbers those searches
	days    view.Days          // as the sidebar has them
	listed  []listed           // likewise
	keeper  *keeper
	servers client.Snapshot
	begged  map[string]*begs // by how the server is run

	settings view.Settings // as they are now
	saver    *saver
	openURL  func(*url.URL) error // as the desktop does
	handed   handed
	vault    *vault
	making   int // numbers the calls of Remake
	keys     map[fyne.KeyName]command
	away     bool // another window is in front
	hidden   bool // by Toggle
	shown    bool // Show was called

	ruler    *ruler
	stencils *stencils
	clock    *clock
	paint    *painter
	dialogs  *Dialogs
	page
}

// A page is what the window is made of.
type page struct {
	win        fyne.Window
	root       *fyne.Container
	slot       *fyne.Container // for toasts while no sheet is open
	title      *label
	model      *button
	notice     *sign
	caution    *sign
	plug       *button
	sidebar    *sidebar
	transcript *transcript
	composer   *composer
	toasts     *toasts
	tips       *tips

	sheets    []*sheet
	asked     *asking       // the question that is shown; nil if none is
	connector *connector    // nil unless open
	book      *settingsBook // likewise
	station   *serverBook   // likewise
	joining   context.CancelFunc
	viewer    *viewer // nil unless open
}

// New makes the window of app. Call it on the UI goroutine, or before app runs.
func New(app fyne.App, o Options) *Window {
	if o.Post == nil {
		o.Post = fyne.Do
	}
	return newWindow(app, o, o.Post)
}

func newWindow(app fyne.App, o Options, post func(func())) *Window {
	if o.Dialogs == nil {
		o.Dialogs = NewDialogs()
	}
	icon := fyne.NewStaticResource("goated.png", assets.IconPNG)
	app.SetIcon(icon)
	w := &Window{app: app, options: o, queue: post, now: time.Now, dialogs: o.Dialogs, settings: o.Settings, ruler: newRuler(), stencils: newStencils()}
	w.dress()
	w.fonts.Go(loadFonts)
	w.clock, w.paint = newClock(w.post), newPainter(w.post, w.refresh)
	w.saver = newSaver(o.Save, func(err error) {
		w.post(func() { w.alert(err) })
	})
	w.vault, w.openURL = newVault(o.Secrets), app.OpenURL
	w.keeper = newKeeper(o.History,
		func(c *conversation, id string) { w.post(func() { w.name(c, id) }) },
		func(err error) { w.post(func() { w.alert(err) }) })
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.build()
	w.bind()
	w.attend()
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
	w.shown = true
	w.win.Show()
	focus(w.composer.input)
	w.welcome()
	if w.options.Unsure {
		w.remake(nil)
	}
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
	w.group.Go(func() { w.saver.run(w.ctx) })
	w.group.Go(w.passDays)
	if w.options.Host != nil {
		w.group.Go(w.watch)
	}
	if w.options.History != nil {
		opened := time.Now()
		w.group.Go(func() { w.recall(opened) })
		w.group.Go(w.attendHistory)
		w.group.Go(func() { w.keeper.run(w.ctx) })
	}
	w.dialogs.watch(func() { w.post(w.sync) }, func(l view.Launch) {
		w.post(func() { w.decide(l, func(l *view.Launch) { l.Unconfined = true }) })
	})
}

// Close cancels the turns, answers cancel to all open questions, and waits until
// no goroutine of the window is left. It may be called from any goroutine, and
// more than once.
func (w *Window) Close() {
	w.ending.Do(func() {
		if w.options.History != nil {
			w.options.History.Hurry()
		}
		w.cancel()
		w.dialogs.close()
	})
	w.group.Wait()
	w.unhand()
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
		w.composer.tools.set(say.S("No tools yet"))
	}
	w.composer.root.Refresh()
	if w.connector != nil {
		w.connector.show(s)
	}
	if w.station != nil {
		w.station.see(s)
	}
	w.beg(s)
}

// build makes the page.
func (w *Window) build() {
	w.win = w.app.NewWindow("goated")
	w.win.SetMaster()
	w.win.SetPadded(false)
	w.win.SetIcon(w.app.Icon())
	w.win.Resize(w.fit())
	w.win.SetOnDropped(w.drop)
	w.win.SetOnClosed(func() {
		w.closed = true
		w.scrolled()
		w.cancel()
		w.dialogs.close()
	})

	w.sidebar = newSidebar(w.clock, say.S("Tools run on this computer. goated asks before a tool runs."), w.options.History != nil)
	w.sidebar.OnNew = w.newChat
	w.sidebar.roster.OnSelect = w.choose
	w.sidebar.OnSettings = func() { w.openSettings(settingsModel) }
	w.sidebar.OnHelp = w.openHelp
	if w.options.History != nil {
		w.sidebar.roster.OnMenu = w.menu
		w.sidebar.OnMore = w.more
		f := w.sidebar.finder
		f.now = func() time.Time { return w.now() }
		f.OnSeek, f.OnOpen = w.seek, w.openHit
		f.OnLeave = func() { focus(w.composer.input) }
	}

	w.transcript = newTranscript(w.clock)
	w.transcript.grow = w.settings.Growth()
	w.transcript.OnCopy = w.copy
	w.transcript.OnRetry = w.retry
	w.transcript.errands = errands{begin: w.begin, post: w.post, view: w.view, save: w.save, play: w.listen, now: func() time.Time { return w.now() }}
	w.transcript.OnExample = func(text string) {
		w.composer.fill(text)
		focus(w.composer.input)
	}

	w.transcript.Begin = w.begin
	if w.options.History != nil {
		w.transcript.OnEdit = w.edit
		w.transcript.OnRegenerate = w.regenerate
		w.transcript.OnDelete = w.remove
		w.transcript.OnVersion = w.turnVersion
		w.transcript.OnScrolled = w.scrolled
		w.transcript.Versions = w.versionOf
		w.transcript.Deletes = w.deletes
	}

	w.title = newLabel("", 15, colorText).strong()
	w.model = newButton(ghost, "chevron-down", w.options.Model, func() { w.openSettings(settingsModel) }).small()
	w.plug = newButton(outline, "plug", say.S("Connect tool"), w.connect)
	gap := newLabel("", 12, colorFaint).elided()
	header := inset(margin{0, 20, 0, 28}, horizontal(8, gap, w.title, w.model, gap, w.plug))

	w.fonts.Wait()
	w.composer = newComposer(w.clock)
	w.composer.OnSend = w.send
	w.composer.OnStop = w.stop
	w.composer.OnResize = w.head
	w.composer.OnTyped = w.written
	w.composer.OnAttach = w.pick
	w.composer.OnDetach = w.detach
	w.composer.input.OnLarge = w.paste
	w.composer.input.OnRefuse = func(s string) { w.toasts.say("alert", s) }

	foot := vertical(10)
	w.notice = newSign(func() { w.openSettings(settingsModel) })
	w.notice.more.Hidden = w.options.Keys == nil
	w.notice.say(w.options.Notice)
	foot.Add(w.notice.root)
	w.caution = newCaution(w.dismiss)
	foot.Add(w.caution.root)
	for _, warning := range w.options.Warnings {
		w.warnings = append(w.warnings, view.Sentence(warning.Error()))
	}
	w.cautions()
	foot.Add(w.composer.root)
	bottom := container.New(measure{readable + 24, 20}, inset(margin{6, 0, 18, 0}, foot))

	ground := newPanel("background", colorNone, 0)
	main := container.New(&mainArea{header: header, body: w.transcript.root, foot: bottom},
		ground, header, newLine(), w.transcript.root, bottom)
	w.root = container.New(split{}, w.sidebar.root, newLine(), main)
	w.slot = container.New(margin{})
	w.toasts = newToasts(w.clock)
	w.tips = newTips(w.clock)
	w.hang(w.slot)
	w.win.SetContent(container.New(casing{seen: w.resized}, w.root, w.slot))
	w.win.Canvas().SetOnTypedKey(w.typed)

	w.win.Canvas().AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) {
		if len(w.sheets) == 0 {
			w.transcript.selectEverything()
		}
	})
	w.tips.name(w.sidebar.help, say.S("Keys and commands"), shortcut{key: fyne.KeyF1})
	w.tips.name(w.sidebar.more, say.S("More for conversations"), shortcut{})
	w.tips.name(w.sidebar.settings, say.S("Settings"), held(fyne.KeyComma))
	w.tips.name(w.composer.clip, say.S("Attach files"), held(fyne.KeyO))
	w.tips.name(w.composer.send, say.S("Send, or stop"), shortcut{})
	w.tips.tell(w.model, func() string { return say.S("Choose the model. %s", w.spent()) }, shortcut{})
	w.tips.name(w.plug, say.S("Connect a tool"), held(fyne.KeyC).shifted())
}

// titleBar is what is left for the one that a desktop puts over a window.
const titleBar = 32

// fit is the size that the window had, or the usual one, as far as the screen has
// room for it.
func (w *Window) fit() fyne.Size {
	size := fyne.NewSize(1280, 840)
	if s := w.settings; s.Width >= 480 && s.Height >= 420 {
		size = fyne.NewSize(s.Width, s.Height)
	}
	if w.options.Room == nil {
		return size
	}
	room := w.options.Room(w.win)
	if room.Width > 0 && size.Width > room.Width {
		size.Width = room.Width
	}
	if room.Height > 2*titleBar && size.Height > room.Height {
		size.Height = room.Height - titleBar
	}
	return size
}

// hang puts what floats over everything into the layer that is on top.
func (w *Window) hang(slot *fyne.Container) {
	w.tips.hide()
	w.toasts.hang(slot)
	if len(slot.Objects) == 1 {
		slot.Add(w.tips.layer)
	}
}

// head lays the page out anew, after something in it changed its size.
func (w *Window) head() {
	if w.root.Size().Width > 0 {
		w.root.Layout.Layout(w.root.Objects, w.root.Size())
	}
}

// leaf scrolls what is in front by most of a page: a sheet, or the transcript.
func (p *page) leaf(pages float32) {
	s := p.transcript.scroll.scroll
	if n := len(p.sheets); n > 0 {
		if p.sheets[n-1].body == nil {
			return
		}
		s = p.sheets[n-1].body.scroll
	}
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -pages*0.85*s.Size().Height)})
}

// copy puts text on the clipboard.
func (w *Window) copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.toasts.say("copy", say.S("Copied"))
}

// escape closes what is on top, or else stops the turn.
func (w *Window) escape() {
	if n := len(w.sheets); n > 0 {
		if s := w.sheets[n-1]; s.OnClose != nil {
			s.OnClose()
		}
		return
	}
	if w.transcript.chosen > 0 {
		focus(w.composer.input)
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
	w.hang(s.slot)
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
		w.hang(w.sheets[n-1].slot)
		return
	}
	w.hang(w.slot)
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
