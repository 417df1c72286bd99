package ui

import (
	"fmt"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/internal/consent"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/result"
	"goated/ui/settings"
	"goated/ui/transcript"
	"goated/ui/view"
	"goated/ui/viewer"
)

// A frame has the parts of the window that belong to no page.
type frame struct {
	win    fyne.Window
	root   *fyne.Container
	slot   *fyne.Container // for toasts while no sheet is open
	title  *kit.Label
	split  *split
	talk   *fyne.Container // the conversation, beside the sidebar
	foot   *fyne.Container // the composer and the notices above it
	model  *kit.Button
	models modelControls
	notice *kit.Banner
	plug   *kit.Button
	viewer *viewer.Viewer // nil while it is closed
}

// build makes the window and its page. It waits for fonts before it measures text.
func (w *Window) build(fonts *sync.WaitGroup) {
	w.frame.open(w)
	buildPages(w)
	header := w.frame.header(w)
	fonts.Wait()
	w.shell.Tips = kit.NewTooltips(w.shell.Clock)
	w.chats.BuildComposer()
	w.chats.Composer.Count.OnTapped = w.pages.openTools
	w.frame.foot = w.frame.newComposerArea(w)
	w.frame.arrange(w, header)
	nameButtons(w)
}

// open makes the window, which is still empty.
func (f *frame) open(w *Window) {
	f.win = w.app.NewWindow("goated")
	f.win.SetMaster()
	f.win.SetPadded(false)
	f.win.SetIcon(w.app.Icon())
	f.win.Resize(w.initialSize())
	f.win.SetOnDropped(w.drop)
	f.win.SetCloseIntercept(func() { w.chats.History.Loader.Leave(f.win.Close) })
	f.win.SetOnClosed(func() {
		w.chats.Scrolled()
		w.tasks.cancel()
		w.options.Dialogs.Close()
	})
}

// openKey returns a function that opens the settings at the API key.
func openKey(w *Window) func() { return func() { w.settingsPages.OpenKey() } }

// buildPages makes the page of the conversations and the pages beside it.
func buildPages(w *Window) {
	save := func(name string, data []byte) { openSave(w.shell, name, data) }
	w.chats = chats.New(w.shell, chats.Hooks{
		NewSession: func() *agent.Session { return w.options.Agent.NewSession() }, Grants: w.grants(), Model: w.frame.models.approvalModel,
		Talk:   chats.ModelHooks{Shown: w.frame.models.show, Open: w.frame.models.open, Other: w.frame.models.openMenu, Key: openKey(w), Instructions: func() { w.frame.models.openInstructions() }, Begin: profiles{w}.begin},
		Change: w.paint.Request, Front: func() { w.shell.Main.Close(); w.closeDrawer() }, Layout: w.frame.layout, Title: w.frame.retitle,
		Save: save, Clipboard: w.options.Desktop.Clipboard, Host: w.options.Host,
		LookFor: w.shell.ChooseFile,
		Away:    func() bool { return w.presence.away || w.presence.hidden }, Notify: w.options.Dialogs.attention.notifier(w.options.Desktop.Notify), Unread: w.options.Desktop.Unread,
	}, w.options.History)
	w.chats.Transcript.Greet(examples(w))
	w.chats.Sidebar.OnSettings = func() { w.settingsPages.Open(settings.Model) }
	w.chats.Sidebar.OnHelp = w.commands.openHelp
	w.pages.tools.Nav = w.chats.Sidebar.Add("plug", "Tools", w.pages.openTools)
	w.pages.work = newWorkPages(w)
	w.pages.past = w.pages.newQuestionsPage()
	w.shell.Main.OnChange = w.pages.showPage
	w.chats.Transcript.Actions = transcript.CardActions{Runner: kit.Runner{Begin: w.tasks.begin, Post: w.tasks.post}, View: w.view, Save: save, Play: w.sounds.play, Now: func() time.Time { return w.shell.Now() }, Show: w.shell.Reveal}
	w.chats.Transcript.Actions.Server = w.pages.work.name
	w.chats.Transcript.Actions.Log, w.chats.Transcript.Actions.Inspect = w.pages.work.log, w.pages.work.inspect
	if host := w.options.Host; host != nil {
		w.chats.Transcript.Actions.Read = func(server string, link view.Part) {
			chats.ReadLink(w.shell, host, server, link, w.chats.Transcript.Actions.Opens)
		}
	}
	w.servers.On.Results, w.servers.On.ReadLink = resultsOf(w.chats.Transcript.Actions)
}

// resultsOf returns the actions with which other pages show the result of a tool, the same as
// in the cards of conversations.
func resultsOf(do transcript.CardActions) (h result.Host, read func(server string, link view.Part)) {
	h.Runner, h.Save, h.View, h.Play, h.Show = do.Runner, do.Save, do.View, do.Play, do.Show
	return h, do.Read
}

// header makes the row above the conversation: its title, its model and the buttons beside them.
func (f *frame) header(w *Window) fyne.CanvasObject {
	f.title = kit.NewLabel("", 15, kit.ColorText).Strong().Elided()
	f.model = kit.NewButton(kit.Ghost, "chevron-down", w.options.Agent.Model, f.models.openMenu).Small().Trailing()
	f.models.build()
	f.plug = kit.NewButton(kit.Outline, "plug", "Connect tool", w.servers.Connect)
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	f.split = &split{unfold: kit.NewButton(kit.Ghost, "sidebar", "", w.foldSidebar).Small(), asks: kit.NewButton(kit.Pill, "", chats.Asks, nil)}
	f.split.asks.OnTapped = func() { w.chats.Questions.Show(f.split.asks) }
	kit.SetAlarm(f.split.asks, true)
	w.chats.Sidebar.OnFold = w.foldSidebar
	rename := kit.NewTappable(7, func() { w.commands.rename() })
	named := container.New(kit.Margin{}, container.New(kit.Margin{Top: -4, Right: -6, Bottom: -4, Left: -6}, rename), f.title)
	return kit.Inset(kit.Margin{Top: 0, Right: 20, Bottom: 0, Left: 28}, container.New(headerRow{kit.Row{Gap: 8, Flex: gap}, named, f.models.gauge.Root, f.title}, f.split.unfold, f.split.asks, named, f.model, gap, f.models.gauge.Root, f.models.more, f.plug))
}

// newComposerArea makes the composer and the notices above it.
func (f *frame) newComposerArea(w *Window) *fyne.Container {
	foot := kit.Vertical(10)
	f.notice = kit.NewBanner(openKey(w))
	f.notice.More.Hidden = w.options.Agent.Keys == nil
	f.notice.Say(w.options.Agent.Notice)
	foot.Add(f.notice.Root)
	foot.Add(w.chats.WarningBar.Sign.Root)
	for _, warning := range w.options.Warnings {
		w.chats.WarningBar.Warn(warning)
	}
	if d := w.pages.work.desktop; d != nil {
		foot.Add(d.Bar.Root)
	}
	foot.Add(f.models.wait.Root)
	foot.Add(w.chats.Composer.Suggest.Root)
	foot.Add(w.chats.Composer.Root)
	return container.New(kit.MaxWidth{Width: transcript.MaxTextWidth + 24, Edge: 20}, kit.Inset(kit.Margin{Top: 6, Right: 0, Bottom: 18, Left: 0}, foot))
}

// arrange puts the parts into the window, with the toasts above them, and handles keys.
func (f *frame) arrange(w *Window, header fyne.CanvasObject) {
	w.shell.Toasts = kit.NewToasts(w.shell.Clock)
	main := container.New(&mainArea{header: header, body: w.chats.Transcript.Root, foot: f.foot},
		newBackground(w.options.Desktop), header, kit.NewLine(), w.chats.Transcript.Root, f.foot)
	f.talk = main
	side := f.split
	side.side, side.line, side.main = w.chats.Sidebar.Root, kit.NewLine(), main
	f.root = container.New(side, side.side, side.line, side.main)
	f.slot = container.New(kit.Margin{})
	w.shell.Toasts.Clear, w.shell.Toasts.Moved = w.toastRoom, func() { f.makeRoomForToasts(w) }
	w.shell.Sheets.Window = f.win
	w.attachOverlays(f.slot)
	f.win.SetContent(container.New(sizeReporter{seen: w.resized}, f.root, f.slot))
	f.win.Canvas().SetOnTypedKey(w.typed)
	f.win.Canvas().SetOnTypedRune(w.typedRune)

	f.win.Canvas().AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) {
		if w.shell.Sheets.Top() == nil && w.shell.Main.Page() == nil {
			w.chats.Transcript.Selection.AllFocused()
		}
	})
}

// nameButtons gives the buttons without text their tooltips.
func nameButtons(w *Window) {
	w.shell.Tips.Name(w.chats.Sidebar.Help, "Keys and commands", kit.Shortcut{Key: fyne.KeyF1})
	w.shell.Tips.Name(w.chats.Sidebar.More, "More actions for conversations", kit.Shortcut{})
	w.shell.Tips.Name(w.chats.Sidebar.Fold, "Fold the sidebar", kit.ModKey(fyne.KeyB))
	w.shell.Tips.Name(w.frame.split.unfold, "Show the sidebar", kit.ModKey(fyne.KeyB))
	w.shell.Tips.Name(w.frame.split.asks, "Show the question that waits for you", kit.Shortcut{})
	w.shell.Tips.Name(w.chats.Sidebar.Settings, "Settings", kit.ModKey(fyne.KeyComma))
	w.shell.Tips.Name(w.chats.Composer.Clip, "Attach files", kit.ModKey(fyne.KeyO))
	w.shell.Tips.Name(w.chats.Composer.Send, "Send, or stop", kit.Shortcut{})
	w.shell.Tips.Tell(w.frame.model, func() string { return fmt.Sprintf("Choose the model. %s", w.chats.Spent()) }, kit.ModKey(fyne.KeyM))
	w.shell.Tips.Name(w.frame.models.more, "More actions for this conversation", kit.Shortcut{})
	w.shell.Tips.Name(w.frame.plug, "Connect a tool", kit.ModKey(fyne.KeyC).Shifted())
}

// grants returns the calls that need no approval, or nil without a policy.
func (w *Window) grants() *consent.Grants {
	if w.options.Policy == nil {
		return nil
	}
	return w.options.Policy.Grants
}

const (
	// titleBar is the height left for the desktop's title bar.
	titleBar = 32
	// rounding is how much larger than the screen a window that fills it may become when Fyne
	// rounds its size at some zooms.
	rounding = 2
)

// initialSize returns the saved or default size of the window, limited to the size of the screen.
func (w *Window) initialSize() fyne.Size {
	size := fyne.NewSize(1280, 840)
	if s := w.prefs.current; s.Width >= 480 && s.Height >= 420 {
		size = fyne.NewSize(s.Width, s.Height)
	}
	if w.options.Desktop.Room == nil {
		return size
	}
	room := w.options.Desktop.Room(w.frame.win)
	if room.Width > 0 && size.Width > room.Width {
		size.Width = room.Width
	}
	switch {
	case room.Height <= 2*titleBar:
	case size.Height > room.Height+rounding:
		size.Height = room.Height - titleBar
	case size.Height > room.Height:
		size.Height = room.Height
	}
	return size
}

// attachOverlays moves the toasts and tooltips into slot, the top layer.
func (w *Window) attachOverlays(slot *fyne.Container) {
	w.shell.Tips.Hide()
	w.shell.Toasts.Attach(slot)
	if len(slot.Objects) == 1 {
		slot.Add(w.shell.Tips.Layer)
	}
}

// layout lays out the page again after a part of it changed its size.
func (f *frame) layout() {
	if f.root != nil && f.root.Size().Width > 0 {
		f.root.Layout.Layout(f.root.Objects, f.root.Size())
	}
}

// retitle shows the title of the conversation.
func (f *frame) retitle(title string) {
	if title != f.title.Text {
		f.title.Set(title)
		f.layout()
	}
}
