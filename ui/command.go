package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/pause"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/view"
)

// A command is an action of the window. The palette, the help and the keyboard shortcuts all
// come from one table, [commandTable.all].
type command struct {
	ID       string
	Title    string
	Group    group
	Icon     string
	Detail   string // beside the title in the palette
	Shortcut kit.Shortcut
	Also     []kit.Shortcut // more keys for the command; the help omits them
	Anytime  bool           // runs even while a question is open
	Beside   bool           // keeps the page open that replaces the conversation
	Enabled  func() bool    // nil: always
	Run      func()
}

// A group is the subject of a command.
type group int

// The groups, in the order of the help.
const (
	groupChat group = iota
	groupTools
	groupWindow
)

func (g group) String() string {
	return [...]string{"Conversation", "Tools", "Window"}[g]
}

// commandTable contains everything that the window can do. The palette, the help and the
// keyboard shortcuts come from it.
type commandTable struct {
	win  *Window
	keys map[fyne.KeyName]command
}

// all returns the table.
func (t *commandTable) all() []command {
	running := func() bool { return t.win.chats.Conversation().Running() }
	list := []command{
		{ID: "palette", Title: "Find a command…", Group: groupWindow, Icon: "search", Shortcut: kit.ModKey(fyne.KeyK), Run: t.openPalette},
		{ID: "new", Title: "New chat", Group: groupChat, Icon: "plus", Shortcut: kit.ModKey(fyne.KeyN), Run: t.win.chats.NewChat},
		{ID: "write", Title: "Write a message", Group: groupChat, Icon: "message", Shortcut: kit.ModKey(fyne.KeyL), Run: func() { kit.Focus(t.win.chats.Composer.Input) }},
		{ID: "attach", Title: "Attach files…", Group: groupChat, Icon: "clip", Shortcut: kit.ModKey(fyne.KeyO), Run: t.win.chats.Files.Pick},
		{ID: "up", Title: "Previous message", Group: groupChat, Icon: "chevron-up", Shortcut: kit.Shortcut{Key: fyne.KeyUp, Modifier: fyne.KeyModifierAlt}, Run: func() { t.win.chats.Transcript.Keyboard.Choose(-1) }},
		{ID: "down", Title: "Next message", Group: groupChat, Icon: "chevron-down", Shortcut: kit.Shortcut{Key: fyne.KeyDown, Modifier: fyne.KeyModifierAlt}, Run: func() { t.win.chats.Transcript.Keyboard.Choose(1) }},
		{ID: "top", Title: "Beginning of the conversation", Group: groupChat, Icon: "chevron-up", Anytime: true, Shortcut: kit.ModKey(fyne.KeyHome), Enabled: t.showsChat, Run: func() { scrollToEnd(t.win, -1) }},
		{ID: "bottom", Title: "End of the conversation", Group: groupChat, Icon: "chevron-down", Anytime: true, Shortcut: kit.ModKey(fyne.KeyEnd), Enabled: t.showsChat, Run: func() { scrollToEnd(t.win, 1) }},
		{ID: "find", Title: "Find in the conversation…", Group: groupChat, Icon: "search", Anytime: true, Shortcut: kit.ModKey(fyne.KeyF), Run: t.find},
		{ID: "search", Title: "Search all conversations…", Group: groupChat, Icon: "search", Shortcut: kit.ModKey(fyne.KeyF).Shifted(), Enabled: t.hasHistory, Run: t.win.chats.Search.FocusField},
		{ID: "spent", Title: "Tokens and cost of this conversation", Group: groupChat, Icon: "info", Run: func() { t.win.shell.Toasts.Say("info", t.win.chats.Spent()) }},
		{ID: "rename", Title: "Rename the conversation…", Group: groupChat, Icon: "pencil", Enabled: t.isSaved, Run: func() { t.win.chats.Menu.Rename(t.win.chats.Conversation()) }},
		{ID: "pin", Title: "Pin or unpin the conversation", Group: groupChat, Icon: "pin", Enabled: t.isSaved, Run: func() { t.win.chats.Menu.Pin(t.win.chats.Conversation()) }},
		{ID: "markdown", Title: "Export the conversation as Markdown…", Group: groupChat, Icon: "save", Enabled: t.isSaved, Run: func() { t.win.chats.Menu.Export(t.win.chats.Conversation(), ".md") }},
		{ID: "json", Title: "Export the conversation as JSON…", Group: groupChat, Icon: "save", Enabled: t.isSaved, Run: func() { t.win.chats.Menu.Export(t.win.chats.Conversation(), ".json") }},
		{ID: "export", Title: "Export all conversations as JSON…", Group: groupChat, Icon: "save", Enabled: t.hasHistory, Run: t.win.chats.Menu.ExportAll},
		{ID: "import", Title: "Import conversations…", Group: groupChat, Icon: "folder", Enabled: t.hasHistory, Run: t.win.chats.Menu.PickImport},
		{ID: "earlier", Title: "Earlier version of the last edit", Group: groupChat, Icon: "chevron-left", Shortcut: kit.ModKey(fyne.KeyLeftBracket), Enabled: func() bool { return t.win.chats.Versions.HasVersions() }, Run: func() { t.win.chats.Versions.ShowLastVersion(-1) }},
		{ID: "later", Title: "Later version of the last edit", Group: groupChat, Icon: "chevron-right", Shortcut: kit.ModKey(fyne.KeyRightBracket), Enabled: func() bool { return t.win.chats.Versions.HasVersions() }, Run: func() { t.win.chats.Versions.ShowLastVersion(1) }},
		{ID: "delete", Title: "Delete the conversation", Group: groupChat, Icon: "trash", Enabled: func() bool { return t.isSaved() && !running() }, Run: func() { t.win.chats.History.Trash.Discard(t.win.chats.Conversation()) }},
		{ID: "undelete", Title: "Undo delete", Group: groupChat, Icon: "retry", Beside: true, Shortcut: kit.ModKey(fyne.KeyZ).Shifted(), Enabled: func() bool { return len(t.win.chats.History.Trash.Removed) > 0 }, Run: t.win.chats.History.Trash.Restore},
		{ID: "stop", Title: "Stop the answer", Group: groupChat, Icon: "stop", Shortcut: kit.Shortcut{Key: fyne.KeyEscape}, Enabled: running, Run: t.win.chats.Stop},
		{ID: "allow", Title: "Allow what the conversation asks", Group: groupChat, Icon: "check", Shortcut: kit.ModKey(fyne.KeyReturn), Also: []kit.Shortcut{kit.ModKey(fyne.KeyEnter)}, Anytime: true, Enabled: t.isAsked, Run: t.answerTop},
		{ID: "next", Title: "Next conversation", Group: groupChat, Icon: "chevron-down", Shortcut: kit.Shortcut{Key: fyne.KeyPageDown, Modifier: fyne.KeyModifierControl}, Enabled: t.hasSeveral, Run: func() { t.stepChat(-1) }},
		{ID: "previous", Title: "Previous conversation", Group: groupChat, Icon: "chevron-up", Shortcut: kit.Shortcut{Key: fyne.KeyPageUp, Modifier: fyne.KeyModifierControl}, Enabled: t.hasSeveral, Run: func() { t.stepChat(1) }},
		{ID: "connect", Title: "Connect a tool…", Group: groupTools, Icon: "plug", Shortcut: kit.ModKey(fyne.KeyC).Shifted(), Run: t.win.servers.Connect},
		{ID: "tools", Title: "Tools", Group: groupTools, Icon: "tool", Shortcut: kit.ModKey(fyne.KeyT), Run: t.win.pages.openTools},
		{ID: "artifacts", Title: "Artifacts of a project", Group: groupTools, Icon: "cube", Shortcut: kit.ModKey(fyne.KeyA).Shifted(), Enabled: func() bool { return t.win.pages.work.artifacts != nil }, Run: t.win.pages.work.openArtifacts},
		{ID: "inspector", Title: "Inspector", Group: groupTools, Icon: "activity", Shortcut: kit.ModKey(fyne.KeyI).Shifted(), Enabled: func() bool { return t.win.pages.work.inspector != nil }, Run: t.win.pages.work.openInspector},
		{ID: "desktop", Title: "Desktop that a model works on", Group: groupTools, Icon: "monitor", Enabled: func() bool {
			return t.win.pages.work.hasRunningDesktop(false) || t.win.pages.work.hasRunningDesktop(true)
		}, Run: t.win.pages.work.openDesktop},
		{ID: "halt", Title: "Stop the desktop tools", Group: groupTools, Icon: "stop", Anytime: true, Enabled: func() bool { return t.win.pages.work.hasRunningDesktop(false) }, Run: func() { t.win.options.Pages.Desktop.Halt() }},
		{ID: "resume", Title: "Resume the desktop tools", Group: groupTools, Icon: "play", Enabled: func() bool { return t.win.pages.work.hasRunningDesktop(true) }, Run: func() { t.win.options.Pages.Desktop.Resume() }},
		{ID: "questions", Title: "Questions of programs", Group: groupTools, Icon: "message", Enabled: func() bool { return t.win.pages.past != nil }, Run: t.win.pages.openPast},
		{ID: "quiet", Title: "Do not disturb: let questions wait, or not", Group: groupTools, Icon: "message", Run: func() {
			s := t.win.prefs.current
			s.Dialogs.Quiet = !s.Dialogs.Quiet
			t.win.prefs.change(s)
			t.win.shell.Toasts.Say("message", map[bool]string{true: "Questions of programs wait until you look", false: "Questions of programs come at once"}[s.Dialogs.Quiet])
		}},
		{ID: "import-servers", Title: "Import servers from other apps…", Group: groupTools, Icon: "plug", Run: func() { servers.Import(t.win.servers) }},
		{ID: "settings", Title: "Settings", Group: groupWindow, Icon: "settings", Shortcut: kit.ModKey(fyne.KeyComma), Run: func() { t.win.settingsPages.Open(settings.Model) }},
		{ID: "key", Title: "Gemini key…", Group: groupWindow, Icon: "key", Run: func() { t.win.settingsPages.OpenKey() }},
		{ID: "model", Title: "Choose the model…", Group: groupChat, Icon: "chat", Shortcut: kit.ModKey(fyne.KeyM), Run: t.win.frame.models.openMenu},
		{ID: "instructions", Title: "Custom instructions…", Group: groupChat, Icon: "pencil", Run: t.win.frame.models.openInstructions},
		{ID: "context", Title: "What fills the context", Group: groupChat, Icon: "info", Run: t.win.frame.models.openMeter},
		{ID: "compact", Title: "Summarise earlier messages for the model", Group: groupChat, Icon: "list", Enabled: func() bool { return !running() }, Run: func() { t.win.chats.Choices.Compact(false) }},
		{ID: "uncompact", Title: "Undo the summary of earlier messages", Group: groupChat, Icon: "retry", Enabled: func() bool { return !running() && t.win.frame.models.compacted() }, Run: func() { t.win.chats.Choices.Compact(true) }},
		{ID: "approvals", Title: "Granted approvals", Group: groupTools, Icon: "shield", Run: func() { t.win.settingsPages.Open(settings.Approvals) }},
		{ID: "launch", Title: "Servers started with goated", Group: groupTools, Icon: "server", Run: func() { t.win.settingsPages.Open(settings.Servers) }},
		{ID: "data", Title: "Data folder and log", Group: groupWindow, Icon: "folder", Run: func() { t.win.settingsPages.Open(settings.Data) }},
		{ID: "light", Title: "Theme: light", Group: groupWindow, Icon: "sun", Run: func() { t.win.prefs.setTheme("light") }},
		{ID: "dark", Title: "Theme: dark", Group: groupWindow, Icon: "sun", Run: func() { t.win.prefs.setTheme("dark") }},
		{ID: "system", Title: "Theme: system", Group: groupWindow, Icon: "sun", Run: func() { t.win.prefs.setTheme("") }},
		{ID: "larger", Title: "Larger", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.KeyEqual), Also: []kit.Shortcut{kit.ModKey(fyne.KeyEqual).Shifted(), kit.ModKey(fyne.KeyPlus), kit.ModKey(fyne.KeyPlus).Shifted()}, Run: func() { t.win.prefs.zoom(1) }},
		{ID: "smaller", Title: "Smaller", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.KeyMinus), Also: []kit.Shortcut{kit.ModKey(fyne.KeyMinus).Shifted()}, Run: func() { t.win.prefs.zoom(-1) }},
		{ID: "usual", Title: "Reset zoom", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.Key0), Run: func() { t.win.prefs.zoom(0) }},
		{ID: "text", Title: "Conversation text size", Group: groupWindow, Icon: "zoom", Run: func() { t.win.settingsPages.Open(settings.Look) }},
		{ID: "sidebar", Title: "Fold or show the sidebar", Group: groupWindow, Icon: "sidebar", Shortcut: kit.ModKey(fyne.KeyB), Run: t.win.foldSidebar},
		{ID: "help", Title: "Keys and commands", Group: groupWindow, Icon: "keyboard", Shortcut: kit.Shortcut{Key: fyne.KeyF1}, Also: []kit.Shortcut{kit.ModKey(fyne.KeySlash), kit.ModKey(fyne.KeySlash).Shifted()}, Run: t.openHelp},
		{ID: "welcome", Title: "Show the welcome page", Group: groupWindow, Icon: "info", Run: t.win.openWelcome},
		{ID: "hide", Title: "Hide the window", Group: groupWindow, Icon: "hide", Shortcut: kit.ModKey(fyne.KeyW), Enabled: func() bool { return t.win.options.Desktop.Tray }, Run: t.win.Toggle},
		{ID: "quit", Title: "Quit goated", Group: groupWindow, Icon: "quit", Anytime: true, Shortcut: kit.ModKey(fyne.KeyQ), Run: func() { t.win.chats.History.Loader.Leave(func() { quit(t.win) }) }},
	}
	for i := range 9 {
		key := fyne.KeyName('1' + rune(i))
		list = append(list, command{
			ID: "chat" + string(key), Title: fmt.Sprintf("Conversation %d in the list", i+1), Group: groupChat, Icon: "chat",
			Shortcut: kit.ModKey(key), Enabled: func() bool { return i < len(t.win.chats.Chats) }, Run: func() { t.win.chats.Choose(len(t.win.chats.Chats) - 1 - i) },
		})
	}
	return list
}

// inContext returns the commands for the current versions, conversations, servers and tools.
func (t *commandTable) inContext() []command {
	var list []command
	for _, v := range t.win.chats.Versions.All() {
		list = append(list, command{ID: "version:" + v.ID, Title: v.Title, Group: groupChat, Icon: "retry", Detail: "Show", Run: v.Open})
	}
	for i, c := range slices.Backward(t.win.chats.Chats) {
		if i != t.win.chats.Current {
			list = append(list, command{ID: fmt.Sprint("chat:", i), Title: c.Heading(), Group: groupChat, Icon: "chat", Detail: c.Beside(t.win.shell.Now()), Run: func() { t.win.chats.Menu.Show(c) }})
		}
	}
	list = append(list, profiles{t.win}.commands()...)
	for _, s := range t.win.servers.Snapshot.Servers {
		if s.Status == client.Disconnected {
			continue
		}
		list = append(list,
			command{ID: "server:" + s.ID, Title: s.Name, Group: groupTools, Icon: "server", Detail: "Server details", Run: func() { t.win.servers.OpenServer(s.ID, "") }},
			command{ID: "restart:" + s.ID, Title: fmt.Sprintf("Restart %s", s.Name), Group: groupTools, Icon: "retry", Detail: "Server", Run: func() { t.win.servers.Restart(s) }},
			command{ID: "disconnect:" + s.ID, Title: fmt.Sprintf("Disconnect %s", s.Name), Group: groupTools, Icon: "quit", Detail: "Server", Run: func() { t.win.servers.Disconnect(s) }})
	}
	for _, s := range t.win.servers.Snapshot.Servers {
		for _, e := range s.Tools {
			if e.Tool != nil {
				list = append(list, command{ID: "try:" + e.Name, Title: fmt.Sprintf("Try %s", view.ToolTitle(e.Tool)), Group: groupTools, Icon: "play", Detail: s.Name, Run: func() { t.win.servers.OpenServer(s.ID, e.Tool.Name) }})
			}
		}
	}
	return list
}

// run closes all sheets and runs a command. While a question or a file dialog is open, or a sheet
// holds what the user typed, it runs only commands with Anytime, and leaves the sheets open.
func (t *commandTable) run(c command) {
	if c.Anytime {
		c.Run()
		return
	}
	if t.win.questions.Asked != nil || c.Enabled != nil && !c.Enabled() || !t.win.shell.LeaveSheets() {
		return
	}
	if c.Group == groupChat && !c.Beside {
		t.win.shell.Main.Close()
	}
	c.Run()
}

// rename asks for the title of the shown conversation, if it is saved.
func (t *commandTable) rename() {
	if t.isSaved() && t.win.questions.Asked == nil {
		t.win.chats.Menu.Rename(t.win.chats.Conversation())
	}
}

// find opens the search of the viewer or of the conversation, whichever is in front.
func (t *commandTable) find() {
	switch {
	case t.win.shell.Sheets.Picking():
	case t.win.frame.viewer != nil:
		t.win.frame.viewer.Find()
	case len(t.win.shell.Sheets.All) > 0:
	case t.win.shell.Main.Page() != nil:
		if find := t.win.shell.Main.Page().OnFind; find != nil {
			find()
		}
	default:
		t.win.chats.Transcript.Find.Open()
	}
}

// bind assigns the commands to their keyboard shortcuts.
func (t *commandTable) bind() {
	t.keys = make(map[fyne.KeyName]command)
	for _, c := range t.all() {
		for _, s := range append([]kit.Shortcut{c.Shortcut}, c.Also...) {
			if s.Modifier == 0 && s.Key != fyne.KeyEscape {
				t.keys[s.Key] = c
			}
			s.Bind(t.win.frame.win.Canvas(), func() { t.run(c) })
		}
	}
}

// typed handles a key that no widget handled.
func (w *Window) typed(e *fyne.KeyEvent) {
	if w.shell.Sheets.Picking() && e.Name != fyne.KeyEscape {
		return
	}
	if p := w.shell.Main.Page(); p != nil && p.OnKey != nil && w.shell.Sheets.Top() == nil && p.OnKey(e) {
		return
	}
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		passEnter(w, e)
	case fyne.KeyEscape:
		w.escape()
	case fyne.KeyPageUp:
		w.scrollPage(-1)
	case fyne.KeyPageDown:
		w.scrollPage(1)
	case fyne.KeyHome:
		scrollToEnd(w, -1)
	case fyne.KeyEnd:
		scrollToEnd(w, 1)
	default:
		if c, ok := w.commands.keys[e.Name]; ok {
			w.commands.run(c)
		}
	}
}

// passEnter passes on an Enter that no widget handled. It goes to the object that has the focus
// when the sheet opens, because a click on the sheet's text removes the focus.
func passEnter(w *Window, e *fyne.KeyEvent) {
	s := w.shell.Sheets.Top()
	if s == nil || s.First == nil {
		return
	}
	c := w.frame.win.Canvas()
	if c.Focused() != s.First {
		c.Focus(s.First)
		s.First.TypedKey(e)
	}
}

// showsChat reports whether the conversation is visible rather than a page in its place.
func (t *commandTable) showsChat() bool { return t.win.shell.Main.Page() == nil }

// isAsked reports whether the shown conversation asks the user something.
func (t *commandTable) isAsked() bool {
	return t.showsChat() && t.win.chats.Questions.Open()
}

// answerTop handles a Ctrl+Enter that no widget handled. It answers the dialog on the top sheet,
// wherever the focus is. Without a sheet it answers the question of the conversation.
func (t *commandTable) answerTop() {
	switch s := t.win.shell.Sheets.Top(); {
	case t.win.shell.Sheets.Picking():
	case s != nil && s.OnAccept != nil:
		s.OnAccept()
	case s == nil && t.isAsked():
		t.win.chats.Questions.Accept()
	}
}

// typedRune handles a character that no widget handled. A dialog on a sheet may have its own
// keys. Otherwise the character goes to the composer, unless a sheet covers the composer or a
// page replaces it. A space presses a focused button.
func (w *Window) typedRune(r rune) {
	switch p := w.shell.Main.Page(); {
	case w.shell.Sheets.Picking():
	case w.shell.Sheets.Top() != nil:
		if k, ok := w.shell.Sheets.Top().First.(pause.Keys); ok {
			k.PressKey(r)
		}
	case p != nil:
		if p.OnRune != nil {
			p.OnRune(r)
		}
	case r != ' ':
		w.chats.TypedAway(r)
	}
}

// isSaved reports whether the shown conversation is in the history.
func (t *commandTable) isSaved() bool { return t.win.chats.Conversation().Saved.ID != "" }

// hasHistory reports whether there is a history.
func (t *commandTable) hasHistory() bool { return t.win.options.History != nil }

func (t *commandTable) hasSeveral() bool { return len(t.win.chats.Chats) > 1 }

// stepChat shows the conversation that is by places further down the list. It wraps around at
// both ends.
func (t *commandTable) stepChat(by int) {
	n := len(t.win.chats.Chats)
	t.win.chats.Choose(((t.win.chats.Current+by)%n + n) % n)
}
