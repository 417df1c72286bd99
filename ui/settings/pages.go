package settings

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/ui/kit"
)

func (b *sheet) lookPage() fyne.CanvasObject {
	themes := []string{"", "light", "dark"}
	theme := kit.NewSegments("System", "Light", "Dark")
	for i, t := range themes {
		if t == b.Settings.Theme {
			theme.Set(i)
		}
	}
	theme.OnChoose = func(i int) { b.OnTheme(themes[i]) }
	text := kit.NewSegments("Small", "Normal", "Large", "Larger")
	for i, size := range config.TextSizes() {
		if size == b.Settings.Text() {
			text.Set(i)
		}
	}
	text.OnChoose = func(i int) { b.OnText(config.TextSizes()[i]) }
	percent := kit.NewLabel(fmt.Sprintf("%d %%", b.Settings.Percent()), 13, kit.ColorText).Medium()
	percent.Centre = true
	zoom := kit.Horizontal(6, nil,
		kit.NewButton(kit.Outline, "hide", "", func() { b.OnZoom(-1) }).Small(), kit.Sized(max(58, percent.MinSize().Width+8), 28, percent),
		kit.NewButton(kit.Outline, "plus", "", func() { b.OnZoom(1) }).Small(), kit.NewButton(kit.Ghost, "", "Reset", func() { b.OnZoom(0) }).Small())
	return kit.Vertical(28,
		kit.Section("Colours", "", kit.SettingRow("Theme", "Changes apply at once.", theme.Root)),
		kit.Section("Size", "", kit.SettingRow("Text of conversations", "Messages, answers and code.", text.Root),
			kit.SettingRow("Interface size", fmt.Sprintf("Also with %s, %s and %s.", kit.ModKey(fyne.KeyEqual), kit.ModKey(fyne.KeyMinus), kit.ModKey(fyne.Key0)), zoom)))
}

func (b *sheet) approvalsPage() fyne.CanvasObject {
	list := kit.Vertical(8)
	var granted []string
	if b.Policy != nil {
		granted = b.Policy.Grants()
	}
	for _, name := range granted {
		words := kit.NewLabel(name, 13, kit.ColorText).Mono().Elided()
		revoke := kit.NewButton(kit.Outline, "", "Revoke", func() {
			b.Policy.Revoke(name)
			b.Redo()
		}).Small()
		list.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 14},
			kit.Horizontal(10, words, kit.NewIcon("shield", 16, kit.ColorAccent), words, revoke)))
	}
	if len(granted) == 0 {
		list.Add(kit.NewEmptyNote("shield", "Nothing is granted. Every tool asks before it runs, except goated's own read-only tools."))
	}
	return kit.Vertical(28,
		kit.Section("Server permissions", "Permissions beyond the sandbox. Removing one restarts the server if it runs.", b.Grants(b.Redo)),
		kit.Section("Tools that always run", `You chose "Always allow" for these. It lasts until goated quits. A revoked tool asks again.`, list))
}

func (b *sheet) serversPage() fyne.CanvasObject {
	own := kit.Vertical(8)
	for _, name := range b.Bundled {
		on := true
		for _, off := range b.Settings.BundledOff {
			on = on && off != name
		}
		o := kit.NewOption(kit.Checkbox, name, on, nil)
		o.OnChange = func() { b.Change(b.Settings.StartBundled(name, o.On)) }
		own.Add(o.Root)
	}
	if len(b.Bundled) == 0 {
		own.Add(kit.NewEmptyNote("server", "This build of goated has no bundled servers."))
	}
	yours := kit.Vertical(8)
	for _, l := range b.Settings.Launch {
		o := kit.NewOption(kit.Checkbox, b.Launching(l), !l.Off, nil)
		o.OnChange = func() { b.Change(b.Settings.Start(l, o.On)) }
		remove := kit.NewButton(kit.Ghost, "trash", "", func() {
			b.Change(b.Settings.Drop(l))
			b.Redo()
		}).Small()
		b.Tips.Name(remove, "Remove from this list", kit.Shortcut{})
		yours.Add(kit.Horizontal(8, o.Root, o.Root, remove))
	}
	if len(b.Settings.Launch) == 0 {
		yours.Add(kit.NewEmptyNote("plug", `None yet. Open a connected server's details and choose "Start with goated".`))
	}
	return kit.Vertical(28,
		kit.Section("goated's own servers", "Servers that start with goated. Changes apply at the next start.", own),
		kit.Section("Your servers", "", yours))
}

func (b *sheet) dataPage() fyne.CanvasObject {
	show := func(path string) fyne.CanvasObject {
		words := kit.NewText(path, 13, 19, kit.ColorText)
		words.Style.Monospace = true
		return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14}, words)
	}
	gap := func() *kit.Label { return kit.NewLabel("", 12, kit.ColorFaint).Elided() }
	one, two := gap(), gap()
	return kit.Vertical(28,
		kit.Section("Data folder", "goated's data: memory, notes and the log. goated never sends it anywhere by itself.", show(b.DataDir),
			kit.Horizontal(8, one, kit.NewButton(kit.Outline, "folder", "Open folder", func() { b.Reveal(b.DataDir) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { b.Copy(b.DataDir) }), one)),
		kit.Section("Log", "One line of JSON per error, with its details. It never contains keys.", show(b.LogFile),
			kit.Horizontal(8, two, kit.NewButton(kit.Outline, "external", "Open log", func() { b.Reveal(b.LogFile) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { b.Copy(b.LogFile) }), two)))
}
