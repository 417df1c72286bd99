package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/kit"
	"goated/ui/view"
)

func (b *settingsBook) lookPage() fyne.CanvasObject {
	w := b.w
	themes := []string{"", "light", "dark"}
	theme := kit.NewSegments("System", "Light", "Dark")
	for i, t := range themes {
		if t == w.settings.Theme {
			theme.Set(i)
		}
	}
	theme.OnChoose = func(i int) { w.setTheme(themes[i]) }
	text := kit.NewSegments("Small", "Normal", "Large", "Larger")
	for i, size := range config.TextSizes() {
		if size == w.settings.Text() {
			text.Set(i)
		}
	}
	text.OnChoose = func(i int) { w.setText(config.TextSizes()[i]) }
	percent := kit.NewLabel(fmt.Sprintf("%d %%", w.settings.Percent()), 13, kit.ColorText).Medium()
	percent.Centre = true
	zoom := kit.Horizontal(6, nil,
		kit.NewButton(kit.Outline, "hide", "", func() { w.zoom(-1) }).Small(), kit.Sized(max(58, percent.MinSize().Width+8), 28, percent),
		kit.NewButton(kit.Outline, "plus", "", func() { w.zoom(1) }).Small(), kit.NewButton(kit.Ghost, "", "Reset", func() { w.zoom(0) }).Small())
	return kit.Vertical(28,
		kit.Section("Colours", "", kit.SettingRow("Theme", "Takes effect at once.", theme.Root)),
		kit.Section("Size", "", kit.SettingRow("Text of conversations", "Of what you and the model say, and of code.", text.Root),
			kit.SettingRow("Letters and everything else", fmt.Sprintf("Also with %s, %s and %s.", kit.ModKey(fyne.KeyEqual), kit.ModKey(fyne.KeyMinus), kit.ModKey(fyne.Key0)), zoom)))
}

func (b *settingsBook) approvalsPage() fyne.CanvasObject {
	list := kit.Vertical(8)
	var granted []string
	if b.w.options.Policy != nil {
		granted = b.w.options.Policy.Grants()
	}
	for _, name := range granted {
		words := kit.NewLabel(name, 13, kit.ColorText).Mono().Elided()
		revoke := kit.NewButton(kit.Outline, "", "Revoke", func() {
			b.w.options.Policy.Revoke(name)
			b.redo()
		}).Small()
		list.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 14},
			kit.Horizontal(10, words, kit.NewIcon("shield", 16, kit.ColorAccent), words, revoke)))
	}
	if len(granted) == 0 {
		list.Add(kit.NewEmptyNote("shield", "Nothing is granted. Every tool asks before it runs, except goated's own that only read."))
	}
	return kit.Vertical(28,
		kit.Section("What servers may do", "What you allowed them beyond their sandbox. A server that runs starts anew when something of it is taken back.", b.grants()),
		kit.Section("Tools that always run", "You chose \"Always allow\" for these. It holds until goated quits; a revoked tool asks again.", list))
}

// grants are all permissions of all servers.
func (b *settingsBook) grants() fyne.CanvasObject {
	w := b.w
	all := kit.Vertical(16)
	for _, l := range w.settings.Decided() {
		rows := kit.Vertical(8)
		for _, p := range l.Allowed {
			rows.Add(w.permissionRow(p, l.Allowed, "trash", func() { w.revoke(l, p); b.redo() }))
		}
		free := func(text string, revoke func()) {
			words := kit.NewLabel(text, 13, kit.ColorText).Elided()
			rows.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 6, Right: 8, Bottom: 6, Left: 14}, kit.Horizontal(10, words, kit.NewIcon("shield-off", 16, kit.ColorBad), words,
				kit.NewButton(kit.Ghost, "trash", "", func() { revoke(); b.redo() }).Small())))
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
			all.Add(kit.Vertical(6, kit.NewLabel(launchLine(l), 12, kit.ColorMuted).Mono().Elided(), rows))
		}
	}
	if len(all.Objects) == 0 {
		all.Add(kit.NewEmptyNote("shield-check", "Nothing. Every server has its own folder, and no network."))
	}
	return all
}

func (b *settingsBook) serversPage() fyne.CanvasObject {
	w := b.w
	own := kit.Vertical(8)
	for _, name := range w.options.Bundled {
		on := true
		for _, off := range w.settings.BundledOff {
			on = on && off != name
		}
		o := kit.NewOption(kit.Checkbox, name, on, nil)
		o.OnChange = func() { w.change(w.settings.StartBundled(name, o.On)) }
		own.Add(o.Root)
	}
	if len(w.options.Bundled) == 0 {
		own.Add(kit.NewEmptyNote("server", "This goated has no servers of its own."))
	}
	yours := kit.Vertical(8)
	for _, l := range w.settings.Launch {
		o := kit.NewOption(kit.Checkbox, launchLine(l), !l.Off, nil)
		o.OnChange = func() { w.change(w.settings.Start(l, o.On)) }
		remove := kit.NewButton(kit.Ghost, "trash", "", func() {
			w.change(w.settings.Drop(l))
			b.redo()
		}).Small()
		w.tips.Name(remove, "Take off this list", kit.Shortcut{})
		yours.Add(kit.Horizontal(8, o.Root, o.Root, remove))
	}
	if len(w.settings.Launch) == 0 {
		yours.Add(kit.NewEmptyNote("plug", "None yet. Look into a connected server and choose \"Start with goated\"."))
	}
	return kit.Vertical(28,
		kit.Section("goated's own servers", "Started with goated. A change counts from the next start.", own),
		kit.Section("Your servers", "", yours))
}

// launchLine is a server on one line, with its home folder as ~.
func launchLine(l config.Launch) string {
	return view.ServerCommand(client.Server{Path: l.Path, Args: l.Args})
}

func (b *settingsBook) dataPage() fyne.CanvasObject {
	w := b.w
	show := func(path string) fyne.CanvasObject {
		words := kit.NewText(path, 13, 19, kit.ColorText)
		words.Style.Monospace = true
		return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14}, words)
	}
	gap := func() *kit.Label { return kit.NewLabel("", 12, kit.ColorFaint).Elided() }
	one, two := gap(), gap()
	return kit.Vertical(28,
		kit.Section("Data folder", "What goated keeps: its memory, its notes, the log. Nothing of it leaves this computer by itself.", show(w.options.DataDir),
			kit.Horizontal(8, one, kit.NewButton(kit.Outline, "folder", "Open folder", func() { w.shell.Reveal(w.options.DataDir) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { w.copy(w.options.DataDir) }), one)),
		kit.Section("Log", "One line of JSON for each error, with what was known. Keys are never in it.", show(w.options.LogFile),
			kit.Horizontal(8, two, kit.NewButton(kit.Outline, "external", "Open log", func() { w.shell.Reveal(w.options.LogFile) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { w.copy(w.options.LogFile) }), two)))
}
