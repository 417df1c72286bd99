package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/settings"
	"goated/ui/transcript"
)

// build makes the window and its page.
func (w *Window) build() {
	w.win = w.app.NewWindow("goated")
	w.win.SetMaster()
	w.win.SetPadded(false)
	w.win.SetIcon(w.app.Icon())
	w.win.Resize(w.fit())
	w.win.SetOnDropped(w.drop)
	w.win.SetOnClosed(func() {
		w.Scrolled()
		w.cancel()
		w.dialogs.Close()
	})

	w.Page = chats.New(w.shell, chats.Hooks{
		NewSession: func() *agent.Session { return w.options.NewSession() },
		Change:     w.paint.Request, Layout: w.layoutPage, Title: w.retitle,
		Save: w.save, LookFor: w.chooseFile,
		Away: func() bool { return w.away || w.hidden }, Notify: w.options.Notify, Unread: w.options.Unread,
	}, w.options.History)
	w.Sidebar.OnSettings = func() { w.settingsPages.Open(settings.Model) }
	w.Sidebar.OnHelp = w.openHelp
	w.Transcript.Actions = transcript.CardActions{Runner: kit.Runner{Begin: w.begin, Post: w.post}, View: w.view, Save: w.save, Play: w.playSound, Now: func() time.Time { return w.now() }}

	w.title = kit.NewLabel("", 15, kit.ColorText).Strong()
	w.model = kit.NewButton(kit.Ghost, "chevron-down", w.options.Model, func() { w.settingsPages.Open(settings.Model) }).Small()
	w.plug = kit.NewButton(kit.Outline, "plug", "Connect tool", w.Connect)
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	header := kit.Inset(kit.Margin{Top: 0, Right: 20, Bottom: 0, Left: 28}, kit.Horizontal(8, gap, w.title, w.model, gap, w.plug))

	w.fonts.Wait()
	w.BuildComposer()

	foot := kit.Vertical(10)
	w.notice = kit.NewBanner(func() { w.settingsPages.Open(settings.Model) })
	w.notice.More.Hidden = w.options.Keys == nil
	w.notice.Say(w.options.Notice)
	foot.Add(w.notice.Root)
	foot.Add(w.Cautions.Sign.Root)
	for _, warning := range w.options.Warnings {
		w.Cautions.Warn(warning)
	}
	foot.Add(w.Composer.Root)
	bottom := container.New(kit.MaxWidth{Width: transcript.Readable + 24, Edge: 20}, kit.Inset(kit.Margin{Top: 6, Right: 0, Bottom: 18, Left: 0}, foot))

	background := kit.NewPanel("background", kit.ColorNone, 0)
	main := container.New(&mainArea{header: header, body: w.Transcript.Root, foot: bottom},
		background, header, kit.NewLine(), w.Transcript.Root, bottom)
	w.root = container.New(split{}, w.Sidebar.Root, kit.NewLine(), main)
	w.slot = container.New(kit.Margin{})
	w.toasts, w.tips = kit.NewToasts(w.clock), kit.NewTooltips(w.clock)
	w.shell.Toasts, w.shell.Tips, w.stack.Window = w.toasts, w.tips, w.win
	w.attachOverlays(w.slot)
	w.win.SetContent(container.New(sizeReporter{seen: w.resized}, w.root, w.slot))
	w.win.Canvas().SetOnTypedKey(w.typed)

	w.win.Canvas().AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) {
		if w.stack.Top() == nil {
			w.Transcript.Selection.AllFocused()
		}
	})
	w.tips.Name(w.Sidebar.Help, "Keys and commands", kit.Shortcut{Key: fyne.KeyF1})
	w.tips.Name(w.Sidebar.More, "More actions for conversations", kit.Shortcut{})
	w.tips.Name(w.Sidebar.Settings, "Settings", kit.ModKey(fyne.KeyComma))
	w.tips.Name(w.Composer.Clip, "Attach files", kit.ModKey(fyne.KeyO))
	w.tips.Name(w.Composer.Send, "Send, or stop", kit.Shortcut{})
	w.tips.Tell(w.model, func() string { return fmt.Sprintf("Choose the model. %s", w.Spent()) }, kit.Shortcut{})
	w.tips.Name(w.plug, "Connect a tool", kit.ModKey(fyne.KeyC).Shifted())
}

// titleBar is the height left for the desktop's title bar.
const titleBar = 32

// fit returns the saved or the default size of the window, limited to the
// screen.
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

// attachOverlays moves the toasts and tooltips into slot, the top layer.
func (w *Window) attachOverlays(slot *fyne.Container) {
	w.tips.Hide()
	w.toasts.Attach(slot)
	if len(slot.Objects) == 1 {
		slot.Add(w.tips.Layer)
	}
}

// layoutPage lays the page out again after a part of it changed its size.
func (w *Window) layoutPage() {
	if w.root != nil && w.root.Size().Width > 0 {
		w.root.Layout.Layout(w.root.Objects, w.root.Size())
	}
}

// retitle shows the title of the conversation.
func (w *Window) retitle(title string) {
	if title != w.title.Text {
		w.title.Set(title)
		w.layoutPage()
	}
}
