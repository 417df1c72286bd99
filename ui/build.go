package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

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

	w.sidebar = newSidebar(w.clock, "Tools run on this computer. goated asks before a tool runs.", w.options.History != nil)
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
	w.transcript.errands = errands{runner: runner{begin: w.begin, post: w.post}, view: w.view, save: w.save, play: w.listen, now: func() time.Time { return w.now() }}
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
	w.plug = newButton(outline, "plug", "Connect tool", w.connect)
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
	w.composer.input.large, w.composer.input.OnLarge = view.LargePaste, w.paste
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
	w.toasts, w.tips = newToasts(w.clock), newTips(w.clock)
	w.shell.toasts, w.shell.tips, w.stack.win = w.toasts, w.tips, w.win
	w.hang(w.slot)
	w.win.SetContent(container.New(casing{seen: w.resized}, w.root, w.slot))
	w.win.Canvas().SetOnTypedKey(w.typed)

	w.win.Canvas().AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) {
		if w.stack.top() == nil {
			w.transcript.selectEverything()
		}
	})
	w.tips.name(w.sidebar.help, "Keys and commands", shortcut{key: fyne.KeyF1})
	w.tips.name(w.sidebar.more, "More for conversations", shortcut{})
	w.tips.name(w.sidebar.settings, "Settings", held(fyne.KeyComma))
	w.tips.name(w.composer.clip, "Attach files", held(fyne.KeyO))
	w.tips.name(w.composer.send, "Send, or stop", shortcut{})
	w.tips.tell(w.model, func() string { return fmt.Sprintf("Choose the model. %s", w.spent()) }, shortcut{})
	w.tips.name(w.plug, "Connect a tool", held(fyne.KeyC).shifted())
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
