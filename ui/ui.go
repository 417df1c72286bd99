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
	Settings config.Settings
	Save     func(config.Settings) error
	Keys     *settings.Keys  // nil: there is no place for a key
	Keyring  *config.Keyring // of the servers' secrets; nil: they last as long as the window
	Policy   *agent.Policy   // whose grants are listed; nil: what is tried is always asked for
	// Remake makes what new conversations use, after the key or the settings
	// have changed. It is called off the UI goroutine.
	Remake  func(context.Context, config.Settings) (Answering, error)
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

	servers client.Snapshot

	settings config.Settings // as they are now
	saver    *debounce.Writer[struct{}, config.Settings]
	openURL  func(*url.URL) error // as the desktop does
	handed   handed
	making   int // numbers the calls of Remake
	keys     map[fyne.KeyName]command
	away     bool // another window is in front
	hidden   bool // by Toggle
	shown    bool // Show was called

	ruler    *kit.Measure
	stencils *kit.IconCache
	clock    *kit.Clock
	paint    *kit.Refresher
	shell    *shell.Shell
	*servers.Pages
	*dialogs.Sheet
	settingsPages *settings.Pages
	dialogs       *Dialogs
	page
	*chats.Page
}

// A page is what the window is made of.
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
	w := &Window{app: app, options: o, queue: post, now: time.Now, dialogs: o.Dialogs, settings: o.Settings, ruler: kit.NewMeasure(), stencils: kit.NewIconCache()}
	w.dress()
	w.fonts.Go(kit.LoadFonts)
	w.clock, w.paint = kit.NewClock(w.post), kit.NewRefresher(w.post, func() { w.Refresh() })
	w.saver = newSettingsWriter(o.Save, func(err error) {
		w.post(func() { w.alert(err) })
	})
	w.openURL = app.OpenURL
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.stack = &shell.Sheets{OnTop: w.hangOn}
	w.shell = &shell.Shell{
		Ctx: w.ctx, Post: w.post, Go: w.begin, Now: func() time.Time { return w.now() }, Clock: w.clock, Sheets: w.stack,
		Copy: w.copy, OpenURL: func(u *url.URL) error { return w.openURL(u) }, Settings: &w.settings, Change: w.change,
	}
	w.Pages = &servers.Pages{
		Shell: w.shell, Host: o.Host, Policy: o.Policy, Secrets: config.NewSecrets(o.Keyring), Requests: consent.Requests{Most: servers.MaxRequests},
		Approve: o.Dialogs.Approve, Question: o.Dialogs.Put,
		OnPrompt: func(text string) { w.clear(); w.Composer.Fill(text); kit.Focus(w.Composer.Input) },
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
	w.attend()
	w.NewChat()
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
	kit.Focus(w.Composer.Input)
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
	w.dialogs.keep(func(l config.Launch) {
		w.post(func() { w.Decide(l, consent.Unconfine(true)) })
	})
	w.dialogs.Watch(func() { w.post(w.Sync) })
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
		w.dialogs.Close()
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
	w.plug.SetBadge(badge)
	w.head()
	if n := s.Tools(); n > 0 {
		w.Composer.Tools.Set(view.ToolCount(n))
	} else {
		w.Composer.Tools.Set("No tools yet")
	}
	w.Composer.Root.Refresh()
	w.Pages.See(s)
}
