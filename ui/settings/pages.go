package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/view"
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
	thoughts := kit.NewOption(kit.Checkbox, "Show summaries of the model's thinking", b.Settings.Thoughts, nil)
	thoughts.OnChange = func() {
		next := *b.Settings
		next.Thoughts = thoughts.On
		b.Change(next)
	}
	return kit.Vertical(28,
		kit.Section("Colours", "", kit.SettingRow("Theme", "Changes apply at once.", theme.Root)),
		kit.Section("Size", "", kit.SettingRow("Text of conversations", "Messages, answers and code.", text.Root),
			kit.SettingRow("Interface size", fmt.Sprintf("Also with %s, %s and %s.", kit.ModKey(fyne.KeyEqual), kit.ModKey(fyne.KeyMinus), kit.ModKey(fyne.Key0)), zoom)),
		kit.Section("Answers", "Applies to new conversations.", thoughts.Root))
}

// approvalsPage lists the permissions of the servers, and the tools that run without a question.
func (b *sheet) approvalsPage() fyne.CanvasObject {
	list := kit.Vertical(8)
	var granted []consent.Grant
	if b.Policy != nil {
		granted = b.Policy.Grants.List()
	}
	for i, g := range granted {
		together := []consent.Grant{g}
		if g.Reads {
			together = slices.DeleteFunc(slices.Clone(granted), func(o consent.Grant) bool { return o.Group() != g.Group() })
			if slices.IndexFunc(granted, func(o consent.Grant) bool { return o.Group() == g.Group() }) < i {
				continue // the row of the first one names it
			}
		}
		list.Add(b.grant(together))
	}
	if len(granted) == 0 {
		list.Add(kit.NewEmptyNote("shield", "None yet. goated asks before each tool runs, except for its own read-only tools."))
	} else if len(granted) > 1 {
		gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
		list.Add(kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Revoke all", func() { b.revoke(granted...) }).Small()))
	}
	return kit.Vertical(28,
		kit.Section("Server permissions", "Permissions beyond the sandbox. Removing one restarts the server if it runs.", b.Grants(b.redo)),
		kit.Section("Tools that always run", "You chose “Always” for these. If a tool or its server changes, goated shows you the change and asks again.", list),
		b.attention())
}

// attention returns the settings for how goated asks for the user's attention.
func (b *sheet) attention() fyne.CanvasObject {
	option := func(text string, field func(*config.Dialogs) *bool, negated bool) fyne.CanvasObject {
		now := b.Settings.Dialogs
		o := kit.NewOption(kit.Checkbox, text, *field(&now) != negated, nil)
		o.OnChange = func() {
			s := *b.Settings
			*field(&s.Dialogs) = o.On != negated
			b.Change(s)
		}
		return o.Root
	}
	return kit.Vertical(28,
		kit.Section("Notifications", "They come only while another window is in front.",
			option("Show a notification when goated asks you, and when a long answer ends", func(d *config.Dialogs) *bool { return &d.Silent }, true),
			option("Play the desktop's sound with a question of a program", func(d *config.Dialogs) *bool { return &d.Sound }, false)),
		kit.Section("Questions of programs", "How programs ask you through pause. A question from a conversation always appears in that conversation.",
			option("Do not disturb: questions wait under Questions in the sidebar", func(d *config.Dialogs) *bool { return &d.Quiet }, false),
			option("Bring goated's window to the front", func(d *config.Dialogs) *bool { return &d.Raise }, false)))
}

// grant draws a tool that runs without a question, or the read-only tools of a server that the
// user allowed together.
func (b *sheet) grant(together []consent.Grant) fyne.CanvasObject {
	g := together[0]
	name := view.DefinitionTitle(g.Tool)
	if g.Reads {
		var names []string
		for _, o := range together {
			names = append(names, view.DefinitionTitle(o.Tool))
		}
		name = fmt.Sprintf("%d read-only tools: %s", len(names), safetext.Cut(strings.Join(names, ", "), 300))
	}
	title := kit.NewLabel(name, 13, kit.ColorText).Medium().Elided()
	from := kit.NewLabel(fmt.Sprintf("%s · %s · since %s", safetext.Name(b.Granted(g)), safetext.OneLine(g.Start), g.At.Local().Format("2 January 2006")), 12, kit.ColorMuted).Elided()
	revoke := kit.NewButton(kit.Outline, "", "Revoke", func() { b.revoke(together...) }).Small()
	words := kit.Vertical(1, title, from)
	return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 14},
		kit.Horizontal(10, words, kit.NewIcon("shield", 16, kit.ColorAccent), words, revoke))
}

// bundledSwitch draws a switch for one of goated's own servers. Changing it restarts a running
// server.
func (b *sheet) bundledSwitch(server config.Bundled, w config.Switch) fyne.CanvasObject {
	title, rest, _ := strings.Cut(w.Summary, ". ")
	o := kit.NewOption(kit.Checkbox, strings.TrimSuffix(title, ".")+".", slices.Contains(b.Settings.BundledWithSwitches(server).On, w.Name), nil)
	o.OnChange = func() {
		b.Change(b.Settings.WithSwitch(server, w.Name, o.On))
		if b.OnBundled != nil && b.Settings.StartsBundled(server) {
			b.OnBundled(b.Settings.BundledWithSwitches(server), true)
		}
	}
	lines := kit.Vertical(2, o.Root)
	if rest != "" {
		lines.Add(kit.Inset(kit.Margin{Right: 12, Bottom: 4, Left: 40}, kit.NewText(rest, 12, 16, kit.ColorMuted)))
	}
	return kit.Inset(kit.Margin{Left: 28}, lines)
}

// revoke revokes grants.
func (b *sheet) revoke(grants ...consent.Grant) {
	var ids []string
	for _, g := range grants {
		ids = append(ids, g.ID())
	}
	if _, err := b.Policy.Grants.Revoke(ids...); err != nil {
		b.Alert(err)
	}
	b.redo()
}

// bundledName returns the name of one of goated's own servers with its title, as the page of tools
// shows both.
func bundledName(server config.Bundled) string {
	if server.Title == "" {
		return server.Name
	}
	return server.Name + " · " + server.Title
}

func (b *sheet) serversPage() fyne.CanvasObject {
	own := kit.Vertical(8)
	for _, server := range b.Bundled {
		o := kit.NewOption(kit.Checkbox, bundledName(server), b.Settings.StartsBundled(server), nil)
		o.OnChange = func() {
			b.Change(b.Settings.WithBundled(server, o.On))
			if b.OnBundled != nil {
				b.OnBundled(b.Settings.BundledWithSwitches(server), o.On)
			}
		}
		own.Add(o.Root)
		if server.Summary != "" {
			own.Add(kit.Inset(kit.Margin{Right: 12, Bottom: 4, Left: 40}, kit.NewText(server.Summary, 12, 16, kit.ColorMuted)))
		}
		for _, w := range server.Switches {
			own.Add(b.bundledSwitch(server, w))
		}
	}
	if len(b.Bundled) == 0 {
		own.Add(kit.NewEmptyNote("server", "This build of goated has no bundled servers."))
	}
	yours := kit.Vertical(8)
	for _, l := range b.Settings.Launch {
		o := kit.NewOption(kit.Checkbox, b.Launching(l), !l.Off, nil)
		o.OnChange = func() { b.Change(b.Settings.WithStart(l, o.On)) }
		remove := kit.NewButton(kit.Ghost, "trash", "", func() {
			b.Change(b.Settings.WithoutStart(l))
			b.redo()
		}).Small()
		b.Tips.Name(remove, "Remove from this list", kit.Shortcut{})
		yours.Add(kit.Horizontal(8, o.Root, o.Root, remove))
	}
	if len(b.Settings.Launch) == 0 {
		yours.Add(kit.NewEmptyNote("plug", "None yet. “Connect tool” adds one."))
	}
	return kit.Vertical(28,
		kit.Section("goated's own servers", "The ones that are on start with goated. A change takes effect at once.", own),
		kit.Section("Your servers", "", yours))
}

func (b *sheet) dataPage() fyne.CanvasObject {
	show := func(path string) fyne.CanvasObject {
		words := kit.NewText(path, 13, 19, kit.ColorText)
		words.Style.Monospace = true
		return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14}, words)
	}
	gap := func() *kit.Label { return kit.NewLabel("", 12, kit.ColorFaint).Elided() }
	one, two, three := gap(), gap(), gap()
	all := kit.Vertical(28)
	if b.OnExport != nil {
		all.Add(kit.Section("Conversations", "All of them as one JSON file, for a backup or another computer.",
			kit.Horizontal(8, three, kit.NewButton(kit.Outline, "save", "Export all…", b.OnExport), kit.NewButton(kit.Outline, "folder", "Import…", b.OnImport), three)))
	}
	all.Add(b.workFolder())
	for _, part := range []fyne.CanvasObject{
		kit.Section("Data folder", "goated's data: conversations, memory, notes and the log. goated never sends it anywhere by itself.", show(b.DataDir),
			kit.Horizontal(8, one, kit.NewButton(kit.Outline, "folder", "Open folder", func() { b.Reveal(b.DataDir) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { b.Copy(b.DataDir) }), one)),
		kit.Section("Log", "One line of JSON per error, with its details. It never contains keys.", show(b.LogFile),
			kit.Horizontal(8, two, kit.NewButton(kit.Outline, "external", "Open log", func() { b.Reveal(b.LogFile) }),
				kit.NewButton(kit.Outline, "copy", "Copy path", func() { b.Copy(b.LogFile) }), two)),
	} {
		all.Add(part)
	}
	return all
}

// workFolder shows the working directory of goated, which the user can change.
func (b *sheet) workFolder() fyne.CanvasObject {
	set := func(folder string) {
		next := *b.Settings
		next.Folder = folder
		b.Change(next)
		b.redo()
	}
	words := kit.NewText(cmp.Or(view.Tilde(b.Settings.Folder), "Where goated is started"), 13, 19, kit.ColorText)
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	buttons := []fyne.CanvasObject{kit.NewButton(kit.Outline, "folder", "Choose…", func() { b.ChooseFolder(set) })}
	if b.Settings.Folder != "" {
		buttons = append(buttons, kit.NewButton(kit.Outline, "", "Reset", func() { set("") }))
	}
	return kit.Section("Folder to work in", "goated's own tools read this folder, and the model gets its path. A change takes effect when you next start goated from your desktop's menu. In a terminal, goated uses the current folder.",
		kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14}, words),
		kit.Horizontal(8, gap, append(buttons, gap)...))
}
