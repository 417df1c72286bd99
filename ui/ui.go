// Package ui is goated's window. It owns the wiring of the pages, the commands,
// the keys, the palette and the sheets. The packages below it draw the pages,
// [goated/ui/view] decides what they show, and the sessions and the host do the
// work. It knows no process and no provider of models.
//
// Everything belongs to the UI goroutine, unless it says otherwise. The package
// never imports fyne's app package, so its tests need no display.
package ui

import (
	"context"
	"net/url"
	"strconv"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/assets"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/debounce"
	"goated/internal/store"
	"goated/ui/chats"
	"goated/ui/dialogs"
	"goated/ui/kit"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/shell"
	"goated/ui/view"
	"goated/ui/viewer"
)

// Options configure a window.
type Options struct {
	Post       func(func()) // runs a function on the UI goroutine later; nil: fyne.Do
	Host       *client.Host
	NewSession func() *agent.Session // makes the session of one conversation
	History    *store.Store          // nil: no conversation is saved
	Dialogs    *Dialogs
	Model      string  // label in the header, such as "gemini-flash-latest" or "offline"
	Notice     string  // a sentence above the composer; may be empty
	Unsure     bool    // Model, Notice and NewSession are provisional: Show calls Remake
	Warnings   []error // problems that goated runs on with, such as a read-only folder
	Dark       *bool   // overrides the theme of the settings; nil: does not

	// Settings are the saved settings. The window calls Save off the UI goroutine,
	// never concurrently; nil: it saves nothing.
	Settings config.Settings
	Save     func(config.Settings) error
	Keys     *settings.Keys  // nil: no key can be stored
	Keyring  *config.Keyring // stores the servers' secrets; nil: they last as long as the window
	Policy   *agent.Policy   // the settings list its grants; nil: every try of a tool needs an approval
	// Remake prepares new conversations after the key or the settings change. The
	// window calls it off the UI goroutine.
	Remake  func(context.Context, config.Settings) (Answering, error)
	Bundled []string // names of goated's own servers
	DataDir string
	LogFile string
	// Scale sets the zoom, in percent, from the next change of the theme on.
	Scale  func(percent int)
	Notify func(title, text string) // called off the UI goroutine; nil: no notifications
	// Unread receives the number of conversations with new messages when it
	// changes. The window calls it off the UI goroutine, never concurrently. May be
	// nil.
	Unread func(n int)
	Tray   bool // a tray icon can show a hidden window again
	// Room returns the maximum size of a window on its screen; zero, or a nil Room:
	// any size.
	Room func(fyne.Window) fyne.Size
}

// A Window is goated's window. It owns its goroutines: the watch of the host,
// the turns of its conversations, and its clock. Close ends them.
type Window struct {
	app     fyne.App
	options Options
	queue   func(func())     // runs a function on the UI goroutine later; see post
	now     func() time.Time // for the guard of dialogs

	ctx     context.Context // for all work in progress; Close cancels it
	cancel  context.CancelFunc
	group   sync.WaitGroup
	fonts   sync.WaitGroup // until loadFonts is done
	closing sync.Once

	servers client.Snapshot

	settings config.Settings // the current settings
	saver    *debounce.Writer[struct{}, config.Settings]
	openURL  func(*url.URL) error // opens with the desktop
	sounds   soundFolder
	remakes  int // the number of the last call of Remake
	keys     map[fyne.KeyName]command
	away     bool // another window is in front
	hidden   bool // Toggle hid the window
	shown    bool // Show was called

	measure *kit.Measure
	icons   *kit.IconCache
	clock   *kit.Clock
	paint   *kit.Refresher
	shell   *shell.Shell
	*servers.Pages
	*dialogs.Sheet
	settingsPages *settings.Pages
	dialogs       *Dialogs
	page
	*chats.Page
}

// A page has the parts of the window.
type page struct {
	win    fyne.Window
	root   *fyne.Container
	slot   *fyne.Container // for toasts while no sheet is open
	title  *kit.Label
	model  *kit.Button
	notice *kit.Banner
	plug   *kit.Button
	toasts *kit.Toasts
	tips   *kit.Tooltips

	stack  *shell.Sheets
	viewer *viewer.Viewer // nil unless open
}

// New makes the window of app. Call it on the UI goroutine or before app runs,
// and call Close when done; Run does that itself.
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
	w := &Window{app: app, options: o, queue: post, now: time.Now, dialogs: o.Dialogs, settings: o.Settings, measure: kit.NewMeasure(), icons: kit.NewIconCache()}
	w.applyTheme()
	w.fonts.Go(kit.LoadFonts)
	w.clock, w.paint = kit.NewClock(w.post), kit.NewRefresher(w.post, func() { w.Refresh() })
	w.saver = newSettingsWriter(o.Save, func(err error) {
		w.post(func() { w.alert(err) })
	})
	w.openURL = app.OpenURL
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.stack = &shell.Sheets{OnTop: w.topChanged}
	w.shell = &shell.Shell{
		Ctx: w.ctx, Post: w.post, Go: w.begin, Now: func() time.Time { return w.now() }, Clock: w.clock, Sheets: w.stack,
		Copy: w.copy, OpenURL: func(u *url.URL) error { return w.openURL(u) }, Settings: &w.settings, Change: w.change,
	}
	w.Pages = &servers.Pages{
		Shell: w.shell, Host: o.Host, Policy: o.Policy, Secrets: config.NewSecrets(o.Keyring), Requests: consent.Requests{Most: servers.MaxRequests},
		Approve: o.Dialogs.Approve, Question: o.Dialogs.Put,
		OnPrompt: func(text string) { w.closeSheets(); w.Composer.Fill(text); kit.Focus(w.Composer.Input) },
	}
	if o.Host != nil {
		w.Private = o.Host.Private()
	}
	w.settingsPages = &settings.Pages{
		Shell: w.shell, Keys: o.Keys, Policy: o.Policy, Bundled: o.Bundled, DataDir: o.DataDir, LogFile: o.LogFile,
		OnTheme: w.setTheme, OnText: w.setText, OnZoom: w.zoom, OnKey: w.remake, Grants: w.Grants, Launching: servers.LaunchLine,
	}
	w.Sheet = &dialogs.Sheet{Shell: w.shell, Dialogs: o.Dialogs.Queue}
	w.build()
	w.bind()
	w.watchFocus()
	w.NewChat()
	w.see(client.Snapshot{})
	return w
}

// Run shows the window, runs the app until the user quits or ctx ends, and then
// calls Close. Call it on the main goroutine.
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
	kit.Focus(w.Composer.Input)
	w.welcome()
	if w.options.Unsure {
		w.remake(nil)
	}
}

// post runs f on the UI goroutine later. Other goroutines reach the UI
// goroutine only through post. After Close it does nothing, because Fyne would
// run f on the calling goroutine.
func (w *Window) post(f func()) {
	if w.ctx.Err() == nil {
		w.queue(f)
	}
}

// begin runs f on a goroutine that Close waits for. After Close it does
// nothing.
func (w *Window) begin(f func()) {
	if w.ctx.Err() == nil {
		w.group.Go(f)
	}
}

func (w *Window) start() {
	w.group.Go(func() { w.clock.Run(w.ctx) })
	w.group.Go(func() { w.paint.Run(w.ctx) })
	w.group.Go(func() { w.saver.Run(w.ctx) })
	w.group.Go(w.Side.PassDays)
	if w.options.Host != nil {
		w.group.Go(w.watch)
	}
	if w.options.History != nil {
		w.Loader.Opened = time.Now()
		w.group.Go(w.Loader.Recall)
		w.group.Go(w.Loader.Watch)
		w.group.Go(func() { w.Drafts.Run(w.ctx) })
	}
	w.dialogs.onUnconfined(func(l config.Launch) {
		w.post(func() { w.Decide(l, consent.Unconfine(true)) })
	})
	w.dialogs.Watch(func() { w.post(w.Sync) })
}

// Close cancels the turns and all open questions, and waits for all goroutines
// of the window. It is safe to call from any goroutine and more than once.
func (w *Window) Close() {
	w.closing.Do(func() {
		if w.options.History != nil {
			w.options.History.Hurry()
		}
		w.cancel()
		w.dialogs.Close()
	})
	w.group.Wait()
	w.removeSounds()
}

// watch shows each new state of the host's servers. It skips states that arrive
// while it draws, except the last.
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
	w.plug.SetBadge(badge)
	w.layoutPage()
	if n := s.Tools(); n > 0 {
		w.Composer.Tools.Set(view.ToolCount(n))
	} else {
		w.Composer.Tools.Set("No tools yet")
	}
	w.Composer.Root.Refresh()
	w.Pages.See(s)
}
