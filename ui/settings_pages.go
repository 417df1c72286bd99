package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/view"
)

func (b *settingsBook) lookPage() fyne.CanvasObject {
	w := b.w
	themes := []string{"", "light", "dark"}
	theme := newSegments("System", "Light", "Dark")
	for i, t := range themes {
		if t == w.settings.Theme {
			theme.set(i)
		}
	}
	theme.OnChoose = func(i int) { w.setTheme(themes[i]) }
	text := newSegments("Small", "Normal", "Large", "Larger")
	for i, size := range config.TextSizes() {
		if size == w.settings.Text() {
			text.set(i)
		}
	}
	text.OnChoose = func(i int) { w.setText(config.TextSizes()[i]) }
	percent := newLabel(fmt.Sprintf("%d %%", w.settings.Percent()), 13, colorText).medium()
	percent.centre = true
	zoom := horizontal(6, nil,
		newButton(outline, "hide", "", func() { w.zoom(-1) }).small(), sized(max(58, percent.MinSize().Width+8), 28, percent),
		newButton(outline, "plus", "", func() { w.zoom(1) }).small(), newButton(ghost, "", "Reset", func() { w.zoom(0) }).small())
	return vertical(28,
		chapter("Colours", "", preference("Theme", "Takes effect at once.", theme.root)),
		chapter("Size", "", preference("Text of conversations", "Of what you and the model say, and of code.", text.root),
			preference("Letters and everything else", fmt.Sprintf("Also with %s, %s and %s.", held(fyne.KeyEqual), held(fyne.KeyMinus), held(fyne.Key0)), zoom)))
}

func (b *settingsBook) approvalsPage() fyne.CanvasObject {
	list := vertical(8)
	var granted []string
	if b.w.options.Policy != nil {
		granted = b.w.options.Policy.Grants()
	}
	for _, name := range granted {
		words := newLabel(name, 13, colorText).mono().elided()
		revoke := newButton(outline, "", "Revoke", func() {
			b.w.options.Policy.Revoke(name)
			b.redo()
		}).small()
		list.Add(boxed(newPanel(colorSurface, colorBorder, 12), margin{8, 10, 8, 14},
			horizontal(10, words, newGlyph("shield", 16, colorAccent), words, revoke)))
	}
	if len(granted) == 0 {
		list.Add(emptyNote("shield", "Nothing is granted. Every tool asks before it runs, except goated's own that only read."))
	}
	return vertical(28,
		chapter("What servers may do", "What you allowed them beyond their sandbox. A server that runs starts anew when something of it is taken back.", b.grants()),
		chapter("Tools that always run", "You chose \"Always allow\" for these. It holds until goated quits; a revoked tool asks again.", list))
}

// grants are all permissions of all servers.
func (b *settingsBook) grants() fyne.CanvasObject {
	w := b.w
	all := vertical(16)
	for _, l := range w.settings.Decided() {
		rows := vertical(8)
		for _, p := range l.Allowed {
			rows.Add(w.permissionRow(p, l.Allowed, "trash", func() { w.revoke(l, p); b.redo() }))
		}
		free := func(text string, revoke func()) {
			words := newLabel(text, 13, colorText).elided()
			rows.Add(boxed(newPanel(colorSurface, colorBorder, 12), margin{6, 8, 6, 14}, horizontal(10, words, newGlyph("shield-off", 16, colorBad), words,
				newButton(ghost, "trash", "", func() { revoke(); b.redo() }).small())))
		}
		if l.NoSandbox {
			free("Run without the sandbox", func() { w.confine(l, true) })
		}
		if l.Unconfined {
			free("Run where the system has no sandbox", func() {
				w.decide(l, consent.Unconfine(false))
			})
		}
		if len(rows.Objects) > 0 {
			all.Add(vertical(6, newLabel(launchLine(l), 12, colorMuted).mono().elided(), rows))
		}
	}
	if len(all.Objects) == 0 {
		all.Add(emptyNote("shield-check", "Nothing. Every server has its own folder, and no network."))
	}
	return all
}

func (b *settingsBook) serversPage() fyne.CanvasObject {
	w := b.w
	own := vertical(8)
	for _, name := range w.options.Bundled {
		on := true
		for _, off := range w.settings.BundledOff {
			on = on && off != name
		}
		o := newOption(boxMark, name, on, nil)
		o.OnChange = func() { w.change(w.settings.StartBundled(name, o.on)) }
		own.Add(o.root)
	}
	if len(w.options.Bundled) == 0 {
		own.Add(emptyNote("server", "This goated has no servers of its own."))
	}
	yours := vertical(8)
	for _, l := range w.settings.Launch {
		o := newOption(boxMark, launchLine(l), !l.Off, nil)
		o.OnChange = func() { w.change(w.settings.Start(l, o.on)) }
		remove := newButton(ghost, "trash", "", func() {
			w.change(w.settings.Drop(l))
			b.redo()
		}).small()
		w.tips.name(remove, "Take off this list", shortcut{})
		yours.Add(horizontal(8, o.root, o.root, remove))
	}
	if len(w.settings.Launch) == 0 {
		yours.Add(emptyNote("plug", "None yet. Look into a connected server and choose \"Start with goated\"."))
	}
	return vertical(28,
		chapter("goated's own servers", "Started with goated. A change counts from the next start.", own),
		chapter("Your servers", "", yours))
}

// launchLine is a server on one line, with its home folder as ~.
func launchLine(l config.Launch) string {
	return view.ServerCommand(client.Server{Path: l.Path, Args: l.Args})
}

func (b *settingsBook) dataPage() fyne.CanvasObject {
	w := b.w
	show := func(path string) fyne.CanvasObject {
		words := newText(path, 13, 19, colorText)
		words.style.Monospace = true
		return boxed(newPanel(colorSunken, colorBorder, 10), margin{10, 14, 10, 14}, words)
	}
	gap := func() *label { return newLabel("", 12, colorFaint).elided() }
	one, two := gap(), gap()
	return vertical(28,
		chapter("Data folder", "What goated keeps: its memory, its notes, the log. Nothing of it leaves this computer by itself.", show(w.options.DataDir),
			horizontal(8, one, newButton(outline, "folder", "Open folder", func() { w.shell.reveal(w.options.DataDir) }),
				newButton(outline, "copy", "Copy path", func() { w.copy(w.options.DataDir) }), one)),
		chapter("Log", "One line of JSON for each error, with what was known. Keys are never in it.", show(w.options.LogFile),
			horizontal(8, two, newButton(outline, "external", "Open log", func() { w.shell.reveal(w.options.LogFile) }),
				newButton(outline, "copy", "Copy path", func() { w.copy(w.options.LogFile) }), two)))
}
