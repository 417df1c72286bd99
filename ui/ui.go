// Package ui is goated's window. It wires up the pages, the commands, the keyboard shortcuts,
// the palette and the sheets. The packages below it draw the pages, [goated/ui/view] decides
// what they show, and the sessions and the host do the work. It does not depend on processes or
// on providers of models.
//
// Everything belongs to the UI goroutine unless its comment states otherwise. The package never
// imports fyne's app package, so its tests need no display.
package ui

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/assets"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/inspect"
	"goated/internal/install"
	"goated/internal/models"
	"goated/internal/notify"
	"goated/internal/quarantine"
	"goated/internal/readiness"
	"goated/internal/sandbox"
	"goated/internal/store"
	"goated/internal/wording"
	"goated/servers/desktop/live"
	"goated/servers/llmem/browse"
	"goated/servers/pause/history"
	"goated/ui/catalog"
	"goated/ui/chats"
	"goated/ui/dialogs"
	"goated/ui/kit"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/shell"
	"goated/ui/tools"
	"goated/ui/view"
)

// Options configure a window.
type Options struct {
	Post     func(func()) // runs a function on the UI goroutine later; nil: fyne.Do
	Host     *client.Host
	Agent    AgentOptions
	History  *store.Store // nil: no conversation is saved
	Dialogs  *Dialogs
	Warnings []error // problems that do not stop goated, such as a read-only folder
	Desktop  DesktopOptions

	// Settings are the saved settings. The window calls Save off the UI goroutine, never
	// concurrently. If Save is nil, it saves nothing.
	Settings config.Settings
	Save     func(config.Settings) error
	Keyring  *config.Keyring  // stores the servers' secrets; nil: they last as long as the window
	Policy   *consent.Policy  // the settings list its grants; nil: each try of a tool needs an approval
	Bundled  []config.Bundled // goated's own servers
	// SwitchBundled connects or disconnects one of them. The window calls it on the UI
	// goroutine, so it must return immediately. It may be nil.
	SwitchBundled func(b config.Bundled, on bool)
	Files
	Pages PageOptions
}

// Files contains the paths that the settings show, and the installer that writes below them.
type Files struct {
	DataDir, LogFile string
	OtherApps        bool                  // the sheet offers the servers of other apps on this computer
	Guards           bool                  // the system can protect files inside the folders that servers write to
	Probe            func() sandbox.Status // reports what the system can enforce; nil: [sandbox.Probe]
	Installer        *install.Installer    // nil: the window installs nothing
}

// PageOptions configure the pages beside the conversation. The zero value disables them.
type PageOptions struct {
	Recorder *inspect.Recorder // records messages for the inspector; nil: there is no inspector
	// Browse opens a project folder for the page of artifacts. The window calls it off the UI
	// goroutine. If it is nil, there is no such page.
	Browse func(folder string) (browse.Workspace, error)
	Folder string           // the first project; empty: the user chooses
	Asked  *history.History // the dialogs of programs; nil: they are not kept
	// Desktop is the view of the desktop server. If it is nil, there is no such page.
	Desktop *live.View
	Refused *quarantine.List // the tools that model services rejected; nil: none
}

// AgentOptions configure the model and the sessions of conversations.
type AgentOptions struct {
	NewSession func() *agent.Session // makes the session of one conversation
	Model      string                // label in the header, such as "Gemini 3.5 Flash" or "No model"
	Ref        config.ModelRef       // the model of new conversations
	Models     *models.Source        // lists and opens models; nil: the settings choose the model
	Notice     string                // a sentence above the composer; may be empty
	Tools      *readiness.Waiter     // receives the servers that a profile starts; nil: no turn waits for them
	Unsure     bool                  // Model, Notice and NewSession are provisional: Show calls Remake
	Keys       *settings.Keys        // nil: no key can be stored
	// Remake prepares new conversations after the key or the settings changed. The window calls
	// it off the UI goroutine.
	Remake func(context.Context, config.Settings) (Answering, error)
}

// DesktopOptions connect the window to the desktop.
type DesktopOptions struct {
	Dark *bool // overrides the theme of the settings; nil: it applies
	// Scale sets the zoom in percent. It takes effect at the next change of the theme.
	Scale  func(percent int)
	Notify func(title, text string) // called off the UI goroutine; nil: no notifications
	// Unread receives the number of conversations with new messages whenever it changes. The
	// window calls it off the UI goroutine, never concurrently. It may be nil.
	Unread func(n int)
	// Clipboard returns the picture or the files that another program copied. The window calls
	// it off the UI goroutine. If it is nil, the user can paste only text.
	Clipboard func(context.Context) (picture []byte, files []string, err error)
	Tray      bool // a tray icon can show a hidden window again
	// Notices shows a notification with buttons and waits until the user presses one. If it is
	// nil, there are none.
	Notices func(context.Context, notify.Note) (key string, err error)
	OpenGL  bool // Fyne draws the window with OpenGL
	// Pictures reads the clipboard and the screen for the dialogs. If it is nil, they offer
	// neither.
	Pictures Pictures
	// Room returns the maximum size of a window on its screen. Zero, or a nil Room, means any
	// size.
	Room func(fyne.Window) fyne.Size
}

// A Window is goated's window. It owns its goroutines: one that watches the host, the turns of
// its conversations, and its clock. Close ends them.
type Window struct {
	app     fyne.App
	options Options
	tasks   tasks

	prefs    preferences
	sounds   sounds
	commands commandTable
	presence presence

	paint         *kit.Refresher
	shell         *shell.Shell
	servers       *servers.Pages
	pages         pages
	questions     *dialogs.Sheet
	settingsPages *settings.Pages
	frame         frame
	chats         *chats.Page
}

// New makes the window of app. Call it on the UI goroutine or before app runs. Call Close when
// done; Run does so itself.
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
	w := &Window{app: app, options: o, tasks: tasks{queue: post}}
	w.prefs = preferences{win: w, current: o.Settings, measure: kit.NewMeasure(), icons: kit.NewIconCache()}
	w.commands.win, w.pages.win = w, w
	w.prefs.applyTheme()
	var fonts sync.WaitGroup
	fonts.Go(kit.LoadFonts)
	w.paint = kit.NewRefresher(w.tasks.post, func() { w.chats.Refresh(); profiles{w}.disconnectFinished() })
	w.prefs.writer = newSettingsWriter(o.Save, func(err error) {
		w.tasks.post(func() { w.shell.Alert(err) })
	})
	ctx, cancel := context.WithCancelCause(context.Background())
	w.tasks.ctx, w.tasks.cancel = ctx, func() { cancel(agent.ErrQuit) }
	w.shell = &shell.Shell{
		Ctx: w.tasks.ctx, Post: w.tasks.post, Go: w.tasks.begin, Now: time.Now, Clock: kit.NewClock(w.tasks.post), Sheets: &shell.Sheets{OnTop: w.topChanged}, Main: &shell.Main{},
		Copy: w.copy, OpenURL: app.OpenURL, Settings: &w.prefs.current, Change: w.prefs.change,
	}
	if o.Policy != nil {
		o.Policy.Unsaved = func(err error) {
			w.tasks.post(func() { w.shell.Toasts.Say("alert", wording.UnsavedPermissionText(err)) })
		}
	}
	lacking := &fontNotes{shell: w.shell}
	w.prefs.measure.Setter.Missing = func(script string) { w.tasks.post(func() { lacking.noteMissing(script) }) }
	w.servers = &servers.Pages{
		Shell: w.shell, Host: o.Host, Policy: o.Policy, Secrets: config.NewSecrets(o.Keyring), Requests: consent.Requests{MaxAsked: servers.MaxRequests},
		Refused:  o.Pages.Refused,
		Question: o.Dialogs.Put,
		On: servers.Hooks{
			Prompt:    w.insertPrompt,
			Permitted: func(s client.Server) bool { return w.chats.Questions.OfferAgain(s.ID, s.Name) },
			Granted:   func() { w.pages.tools.Regranted() },
			Closed:    func() { w.pages.tools.Reread() },
			Bundled:   o.Bundled,
			Switch: func(b config.Bundled, on bool) {
				if o.SwitchBundled != nil {
					o.SwitchBundled(b, on)
				}
			},
		},
	}
	if o.Host != nil {
		w.servers.Private, w.servers.Guards = o.Host.Private(), o.Guards
	}
	w.servers.Probe = o.Probe
	if o.OtherApps {
		w.servers.Elsewhere = servers.FoundElsewhere
	}
	if o.Installer != nil {
		w.servers.Programs = o.Installer.Programs
		w.servers.Catalog = &catalog.Pages{Shell: w.shell, Installer: *o.Installer, Promise: func() string { return view.ExpectedConfinement(servers.Sandbox(w.servers)) }, Installed: func(l config.Launch) { servers.AddInstalled(w.servers, l) },
			Updated: func(was, now config.Launch) { servers.Update(w.servers, was, now) }}
	}
	w.pages.tools = &tools.Page{Shell: w.shell, Host: o.Host, Policy: o.Policy, Bundled: o.Bundled, On: tools.Hooks{
		Profiles: func(button fyne.CanvasObject) { profiles{w}.menu(button) }, Layout: func() { w.pages.arrange() },
		Add: w.servers.Connect, Import: func() { servers.Import(w.servers) }, Open: w.servers.OpenServer,
		Permissions: func(id string) { w.servers.OpenServerAt(id, servers.ServerPermissions) },
		Edit:        func(s client.Server, l config.Launch) { servers.Edit(w.servers, s, l) },
		Run:         func(l config.Launch) { servers.Run(w.servers, l) }, Starting: w.servers.Starting, Lacks: w.servers.LacksValue, Stop: w.servers.Disconnect, Restart: w.servers.Restart, Unconfine: w.servers.Unconfine,
		Bundled: w.servers.On.Switch,
		Removed: func(s client.Server, name string, undo func()) { // a single toast, because a second one would move the button of the first
			if s.ID != "" {
				servers.DisconnectSilently(w.servers, s)
			}
			w.chats.History.Trash.Offer(name+" is removed", undo)
		},
	}}
	w.servers.On.Starting = w.pages.tools.Settle
	w.settingsPages = &settings.Pages{
		Shell: w.shell, Keys: o.Agent.Keys, Policy: o.Policy, Bundled: o.Bundled, Storage: settings.Storage{DataDir: o.DataDir, LogFile: o.LogFile},
		OnTheme: w.prefs.setTheme, OnText: w.prefs.setText, OnZoom: w.prefs.zoom, OnKey: w.prefs.remakeSessions, Grants: w.servers.Grants,
		Naming: settings.Naming{Launching: servers.LaunchLine, Granted: func(g consent.Grant) string {
			return g.ServerName(w.servers.Snapshot.Servers, w.prefs.current.Launch)
		}},
		OnBundled: o.SwitchBundled, OnInstruct: func() { w.frame.models.openInstructions() },
	}
	if o.History != nil {
		w.settingsPages.OnExport, w.settingsPages.OnImport = func() { w.chats.Menu.ExportAll() }, func() { w.chats.Menu.PickImport() }
	}
	if o.Agent.Models != nil {
		w.settingsPages.Services = &settings.Services{Keyring: o.Keyring, List: o.Agent.Models.List}
	}
	w.questions = &dialogs.Sheet{Shell: w.shell, Dialogs: o.Dialogs.Queue}
	w.shell.Waiting = shell.NewWaitlist(w.shell)
	w.shell.Waiting.Sources = []func() []shell.Entry{w.questions.Entries, func() []shell.Entry { return w.chats.Questions.Entries(w.questions.PutAside) }}
	w.shell.Waiting.OnChange = w.pages.updateQuestions
	w.sounds.shell = w.shell
	w.frame.models = modelControls{win: w}
	w.build(&fonts)
	w.commands.bind()
	w.watchFocus()
	w.chats.NewChat()
	w.showServers(client.Snapshot{})
	return w
}

// Run shows the window, runs the app until the user quits or ctx ends, and then
// calls Close. Call it on the main goroutine.
func (w *Window) Run(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { w.tasks.queue(func() { quit(w) }) })()
	w.Show()
	w.app.Run()
	w.chats.Scrolled() // a signal ends the loop while the window is open
	w.Close()
}

// quit ends the loop of the app. It may be called repeatedly. Unlike the app's Quit, it leaves
// the window open. On SIGINT and SIGTERM, Fyne itself ends the loop. Afterwards it runs queued
// functions on the goroutine that queues them. Closing the window there would panic, because
// GLFW has ended.
func quit(w *Window) { w.app.Driver().Quit() }

// Show shows the window and starts to watch the host. Call it once.
func (w *Window) Show() {
	w.start()
	w.presence.shown = true
	w.frame.win.Show()
	kit.Focus(w.chats.Composer.Input)
	w.welcome()
	if w.options.Agent.Unsure {
		w.prefs.remakeSessions(nil)
	}
}

func (w *Window) start() {
	w.tasks.group.Go(func() { w.shell.Clock.Run(w.tasks.ctx) })
	w.tasks.group.Go(func() { w.paint.Run(w.tasks.ctx) })
	w.tasks.group.Go(func() { w.prefs.writer.Run(w.tasks.ctx) })
	w.tasks.group.Go(w.chats.Side.PassDays)
	if w.options.Host != nil {
		w.tasks.group.Go(w.watch)
	}
	if d := w.pages.work.desktop; d != nil {
		w.tasks.group.Go(func() { d.Watch(w.tasks.ctx) })
	}
	if w.options.History != nil {
		w.chats.History.Loader.Opened = time.Now()
		w.tasks.group.Go(w.chats.History.Loader.Recall)
		w.tasks.group.Go(w.chats.History.Loader.Watch)
		w.tasks.group.Go(w.chats.History.Loader.Other.Follow)
		w.tasks.group.Go(func() { w.chats.History.Drafts.Run(w.tasks.ctx) })
	}
	w.options.Dialogs.onInline(w.chats.Questions)
	w.options.Dialogs.onPermit(func(ctx context.Context, from client.Asker, p sandbox.Permission, held func()) bool {
		return servers.Permit(ctx, w.servers, w.options.Dialogs.putInCall, from, p, held)
	})
	w.options.Dialogs.attention.set(func(a *attention) {
		o := w.options.Desktop
		a.prefs, a.notices, a.history, a.raise = w.prefs.current.Dialogs, o.Notices, w.options.Pages.Asked, w.Raise
		if v := w.options.Pages.Desktop; v != nil {
			a.watched = v.OnOwnDesktop
		}
		a.alert = func(err error) { w.tasks.post(func() { w.shell.Alert(err) }) }
		a.say = func(text string) { w.tasks.post(func() { w.shell.Toasts.Say("message", text) }) }
		a.changed = func() { w.tasks.post(w.pages.updateQuestions) }
	})
	w.options.Dialogs.setPictures(w.options.Desktop.Pictures, w.frame.setVisible)
	w.options.Dialogs.onUnconfined(func(l config.Launch) {
		w.tasks.post(func() { w.servers.Decide(l, consent.Unconfine(true)) })
	})
	w.options.Dialogs.Watch(func() { w.tasks.post(w.pages.updateQuestions) })
}

// Close cancels the turns and all open questions, and waits for all goroutines
// of the window. It is safe to call from any goroutine and more than once.
func (w *Window) Close() {
	w.tasks.closing.Do(func() {
		if w.options.History != nil {
			w.options.History.PrepareExit()
		}
		w.tasks.cancel()
		w.options.Dialogs.Close()
	})
	w.tasks.group.Wait()
	w.sounds.remove()
	w.pages.work.close()
}

// watch shows each new state of the host's servers. While it draws, it skips all new states
// except the last.
func (w *Window) watch() {
	for s := range w.options.Host.Watch(w.tasks.ctx) {
		drawn := make(chan struct{})
		w.tasks.post(func() { w.showServers(s); close(drawn) })
		select {
		case <-drawn:
		case <-w.tasks.ctx.Done():
			return
		}
	}
}

// showServers shows the current state of the servers.
func (w *Window) showServers(s client.Snapshot) {
	if n := s.Tools(); n > 0 {
		w.chats.Composer.Tools.Set(view.ToolCount(n))
	} else {
		w.chats.Composer.Tools.Set("No tools yet")
	}
	w.chats.Composer.Root.Refresh()
	if w.pages.work.see(s) {
		w.chats.Transcript.Rename()
	}
	w.servers.Update(s)
	w.pages.tools.Update(s)
	w.frame.layout()
}
