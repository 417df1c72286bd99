package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/transcript"
)

// examples returns the messages that goated suggests. The welcome sheet offers the first one.
func examples(w *Window) []transcript.Example {
	return transcript.Examples(w.options.Pages.Folder != "")
}

// welcome shows the welcome sheet on the first start.
func (w *Window) welcome() {
	if !w.prefs.current.Welcomed && w.options.Save != nil {
		w.openWelcome()
	}
}

// openWelcome shows a sheet with four ways to begin.
func (w *Window) openWelcome() {
	mark := kit.NewLogo()
	hello := kit.NewLabel("Welcome to goated", 24, kit.ColorText).Strong()
	hello.Centre = true
	lead := transcript.NewLead("Chat that can use tools on your computer. It asks before changing anything.")
	example := examples(w)[0].Text
	var s *kit.Sheet
	leave := func(then func()) func() {
		return func() {
			s.OnClose()
			if then != nil {
				then()
			}
		}
	}
	try := kit.NewButton(kit.Primary, "", "Try", leave(func() {
		w.shell.Main.Close()
		w.chats.Composer.Suggest.Fill(example)
	}))
	gemini := welcomeStep("key", "Let Gemini answer", "With your own key, a model understands you and uses the tools by itself.",
		kit.NewButton(kit.Outline, "", "Add a key", leave(w.settingsPages.OpenKey)))
	if keys := w.options.Agent.Keys; keys != nil && keys.From != "" {
		gemini = welcomeStep("key", "Gemini answers", "goated found your key in "+keys.From+". A model understands you and uses the tools by itself.",
			kit.NewButton(kit.Outline, "", "Choose a model", leave(func() { w.settingsPages.Open(settings.Model) })))
	}
	steps := kit.Vertical(10,
		welcomeStep("play", "Try it now", fmt.Sprintf("You need no key for this. Try writes “%s” for you; press Enter to send it.", example), try),
		gemini,
		welcomeStep("plug", "Connect a tool", "Paste what its README says: a command such as npx -y …, a URL, a script or a folder. Or drop a script onto the window.",
			kit.NewButton(kit.Outline, "", "Connect", leave(w.servers.Connect))),
		welcomeStep("server", "Bring your servers", "Import those of Claude Desktop, Cursor, VS Code and other apps. You choose which.",
			kit.NewButton(kit.Outline, "", "Import", leave(func() { servers.Import(w.servers) }))))
	keys := kit.NewLabel("finds everything else by a few letters of its name", 12, kit.ColorFaint).Elided()
	body := kit.Vertical(0,
		container.New(kit.MaxWidth{Width: 56}, kit.Sized(56, 56, mark)),
		kit.Inset(kit.Margin{Top: 16, Right: 0, Bottom: 8, Left: 0}, hello),
		lead,
		kit.Inset(kit.Margin{Top: 22, Right: 0, Bottom: 0, Left: 0}, steps),
		kit.Inset(kit.Margin{Top: 18, Right: 2, Bottom: 2, Left: 2}, kit.Horizontal(10, keys, kit.NewKeyCaps(kit.ModKey(fyne.KeyK)), keys)))
	s = kit.NewSheet(600, "", body, nil)
	s.First = try // a second Enter makes the first tool call
	s.OnClose = func() {
		w.shell.Sheets.Shut(s)
		if !w.prefs.current.Welcomed {
			next := w.prefs.current
			next.Welcomed = true
			w.prefs.change(next)
		}
	}
	w.shell.Sheets.Open(s)
}

// welcomeStep makes the card for one way to begin.
func welcomeStep(icon, title, remark string, do *kit.Button) fyne.CanvasObject {
	words := kit.Vertical(2, kit.NewLabel(title, 15, kit.ColorText).Strong(), kit.NewText(remark, 13, 19, kit.ColorMuted))
	mark := kit.Sized(40, 40, kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 20), kit.Margin{}, kit.NewIcon(icon, 18, kit.ColorAccent)))
	return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 14), kit.Margin{Top: 14, Right: 16, Bottom: 14, Left: 16},
		kit.Horizontal(16, words, mark, words, do))
}
