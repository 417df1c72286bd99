package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/settings"
)

// A command is an action of the window. The palette, the help and the keys all
// come from one table, [Window.commands].
type command struct {
	ID       string
	Title    string
	Group    group
	Icon     string
	Detail   string // beside the title in the palette
	Shortcut kit.Shortcut
	Also     []kit.Shortcut // more keys for the command; the help omits them
	Anytime  bool           // runs even while a question is open
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

// commands returns the table.
func (w *Window) commands() []command {
	running := func() bool { return w.Conversation().Running() }
	list := []command{
		{ID: "palette", Title: "Find a command…", Group: groupWindow, Icon: "search", Shortcut: kit.ModKey(fyne.KeyK), Run: w.openPalette},
		{ID: "new", Title: "New chat", Group: groupChat, Icon: "plus", Shortcut: kit.ModKey(fyne.KeyN), Run: w.NewChat},
		{ID: "write", Title: "Write a message", Group: groupChat, Icon: "message", Shortcut: kit.ModKey(fyne.KeyL), Run: func() { kit.Focus(w.Composer.Input) }},
		{ID: "attach", Title: "Attach files…", Group: groupChat, Icon: "clip", Shortcut: kit.ModKey(fyne.KeyO), Run: w.Files.Pick},
		{ID: "up", Title: "Previous message", Group: groupChat, Icon: "chevron-up", Shortcut: kit.Shortcut{Key: fyne.KeyUp, Modifier: fyne.KeyModifierAlt}, Run: func() { w.Transcript.Keyboard.Choose(-1) }},
		{ID: "down", Title: "Next message", Group: groupChat, Icon: "chevron-down", Shortcut: kit.Shortcut{Key: fyne.KeyDown, Modifier: fyne.KeyModifierAlt}, Run: func() { w.Transcript.Keyboard.Choose(1) }},
		{ID: "find", Title: "Find in the conversation…", Group: groupChat, Icon: "search", Anytime: true, Shortcut: kit.ModKey(fyne.KeyF), Run: w.find},
		{ID: "search", Title: "Search all conversations…", Group: groupChat, Icon: "search", Shortcut: kit.ModKey(fyne.KeyF).Shifted(), Enabled: w.hasHistory, Run: w.Search.SeekField},
		{ID: "spent", Title: "Tokens and cost of this conversation", Group: groupChat, Icon: "info", Run: func() { w.toasts.Say("info", w.Spent()) }},
		{ID: "rename", Title: "Rename the conversation…", Group: groupChat, Icon: "pencil", Enabled: w.isSaved, Run: func() { w.Menu.Rename(w.Conversation()) }},
		{ID: "pin", Title: "Pin or unpin the conversation", Group: groupChat, Icon: "pin", Enabled: w.isSaved, Run: func() { w.Menu.Pin(w.Conversation()) }},
		{ID: "markdown", Title: "Export the conversation as Markdown…", Group: groupChat, Icon: "save", Enabled: w.isSaved, Run: func() { w.Menu.Export(w.Conversation(), ".md") }},
		{ID: "json", Title: "Export the conversation as JSON…", Group: groupChat, Icon: "save", Enabled: w.isSaved, Run: func() { w.Menu.Export(w.Conversation(), ".json") }},
		{ID: "export", Title: "Export all conversations as JSON…", Group: groupChat, Icon: "save", Enabled: w.hasHistory, Run: w.Menu.ExportAll},
		{ID: "import", Title: "Import conversations…", Group: groupChat, Icon: "folder", Enabled: w.hasHistory, Run: w.Menu.PickImport},
		{ID: "earlier", Title: "Earlier version of the last edit", Group: groupChat, Icon: "chevron-left", Shortcut: kit.ModKey(fyne.KeyLeftBracket), Enabled: func() bool { return w.Versions.TurnsVersions() }, Run: func() { w.Versions.TurnLast(-1) }},
		{ID: "later", Title: "Later version of the last edit", Group: groupChat, Icon: "chevron-right", Shortcut: kit.ModKey(fyne.KeyRightBracket), Enabled: func() bool { return w.Versions.TurnsVersions() }, Run: func() { w.Versions.TurnLast(1) }},
		{ID: "delete", Title: "Delete the conversation", Group: groupChat, Icon: "trash", Enabled: func() bool { return w.isSaved() && !running() }, Run: func() { w.Trash.Discard(w.Conversation()) }},
		{ID: "undelete", Title: "Undo delete", Group: groupChat, Icon: "retry", Shortcut: kit.ModKey(fyne.KeyZ).Shifted(), Enabled: func() bool { return len(w.Trash.Removed) > 0 }, Run: w.Trash.Restore},
		{ID: "stop", Title: "Stop the answer", Group: groupChat, Icon: "stop", Shortcut: kit.Shortcut{Key: fyne.KeyEscape}, Enabled: running, Run: w.Stop},
		{ID: "next", Title: "Next conversation", Group: groupChat, Icon: "chevron-down", Shortcut: kit.Shortcut{Key: fyne.KeyPageDown, Modifier: fyne.KeyModifierControl}, Enabled: w.hasSeveral, Run: func() { w.stepChat(-1) }},
		{ID: "previous", Title: "Previous conversation", Group: groupChat, Icon: "chevron-right", Shortcut: kit.Shortcut{Key: fyne.KeyPageUp, Modifier: fyne.KeyModifierControl}, Enabled: w.hasSeveral, Run: func() { w.stepChat(1) }},
		{ID: "connect", Title: "Connect a tool…", Group: groupTools, Icon: "plug", Shortcut: kit.ModKey(fyne.KeyC).Shifted(), Run: w.Connect},
		{ID: "settings", Title: "Settings", Group: groupWindow, Icon: "settings", Shortcut: kit.ModKey(fyne.KeyComma), Run: func() { w.settingsPages.Open(settings.Model) }},
		{ID: "key", Title: "Gemini key…", Group: groupWindow, Icon: "key", Run: func() { w.settingsPages.Open(settings.Model) }},
		{ID: "model", Title: "Choose the model…", Group: groupWindow, Icon: "chat", Run: func() { w.settingsPages.Open(settings.Model) }},
		{ID: "approvals", Title: "Granted approvals", Group: groupTools, Icon: "shield", Run: func() { w.settingsPages.Open(settings.Approvals) }},
		{ID: "launch", Title: "Servers started with goated", Group: groupTools, Icon: "server", Run: func() { w.settingsPages.Open(settings.Servers) }},
		{ID: "data", Title: "Data folder and log", Group: groupWindow, Icon: "folder", Run: func() { w.settingsPages.Open(settings.Data) }},
		{ID: "light", Title: "Theme: light", Group: groupWindow, Icon: "sun", Run: func() { w.setTheme("light") }},
		{ID: "dark", Title: "Theme: dark", Group: groupWindow, Icon: "sun", Run: func() { w.setTheme("dark") }},
		{ID: "system", Title: "Theme: system", Group: groupWindow, Icon: "sun", Run: func() { w.setTheme("") }},
		{ID: "larger", Title: "Larger", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.KeyEqual), Also: []kit.Shortcut{kit.ModKey(fyne.KeyEqual).Shifted(), kit.ModKey(fyne.KeyPlus), kit.ModKey(fyne.KeyPlus).Shifted()}, Run: func() { w.zoom(1) }},
		{ID: "smaller", Title: "Smaller", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.KeyMinus), Also: []kit.Shortcut{kit.ModKey(fyne.KeyMinus).Shifted()}, Run: func() { w.zoom(-1) }},
		{ID: "usual", Title: "Reset zoom", Group: groupWindow, Icon: "zoom", Anytime: true, Shortcut: kit.ModKey(fyne.Key0), Run: func() { w.zoom(0) }},
		{ID: "text", Title: "Conversation text size", Group: groupWindow, Icon: "zoom", Run: func() { w.settingsPages.Open(settings.Look) }},
		{ID: "help", Title: "Keys and commands", Group: groupWindow, Icon: "keyboard", Shortcut: kit.Shortcut{Key: fyne.KeyF1}, Also: []kit.Shortcut{kit.ModKey(fyne.KeySlash), kit.ModKey(fyne.KeySlash).Shifted()}, Run: w.openHelp},
		{ID: "welcome", Title: "Show the welcome page", Group: groupWindow, Icon: "info", Run: w.openWelcome},
		{ID: "hide", Title: "Hide the window", Group: groupWindow, Icon: "hide", Shortcut: kit.ModKey(fyne.KeyW), Enabled: func() bool { return w.options.Tray }, Run: w.Toggle},
		{ID: "quit", Title: "Quit goated", Group: groupWindow, Icon: "quit", Anytime: true, Shortcut: kit.ModKey(fyne.KeyQ), Run: w.app.Quit},
	}
	for i := range 9 {
		key := fyne.KeyName('1' + rune(i))
		list = append(list, command{
			ID: "chat" + string(key), Title: fmt.Sprintf("Conversation %d in the list", i+1), Group: groupChat, Icon: "chat",
			Shortcut: kit.ModKey(key), Enabled: func() bool { return i < len(w.Chats) }, Run: func() { w.Choose(len(w.Chats) - 1 - i) },
		})
	}
	return list
}

// contextCommands returns the commands for the current versions, conversations, servers
// and tools.
func (w *Window) contextCommands() []command {
	var list []command
	for _, v := range w.Versions.All() {
		list = append(list, command{ID: "version:" + v.ID, Title: v.Title, Group: groupChat, Icon: "retry", Detail: "Show", Run: v.Open})
	}
	for i, c := range slices.Backward(w.Chats) {
		if i != w.Current {
			list = append(list, command{ID: fmt.Sprint("chat:", i), Title: c.Heading(), Group: groupChat, Icon: "chat", Detail: "Go to", Run: func() { w.Choose(i) }})
		}
	}
	for _, s := range w.servers.Servers {
		if s.Status == client.Disconnected {
			continue
		}
		list = append(list,
			command{ID: "server:" + s.ID, Title: s.Name, Group: groupTools, Icon: "server", Detail: "Server details", Run: func() { w.Visit(s.ID, "") }},
			command{ID: "restart:" + s.ID, Title: fmt.Sprintf("Restart %s", s.Name), Group: groupTools, Icon: "retry", Detail: "Server", Run: func() { w.Restart(s) }},
			command{ID: "disconnect:" + s.ID, Title: fmt.Sprintf("Disconnect %s", s.Name), Group: groupTools, Icon: "trash", Detail: "Server", Run: func() { w.Part(s) }})
	}
	for _, s := range w.servers.Servers {
		for _, e := range s.Tools {
			if e.Tool != nil {
				list = append(list, command{ID: "try:" + e.Name, Title: fmt.Sprintf("Try %s", e.Tool.Name), Group: groupTools, Icon: "play", Detail: s.Name, Run: func() { w.Visit(s.ID, e.Tool.Name) }})
			}
		}
	}
	return list
}

// run closes all sheets and runs a command. While a question is open, it runs
// only commands with Anytime, and leaves the sheets open.
func (w *Window) run(c command) {
	if c.Anytime {
		c.Run()
		return
	}
	if w.Asked != nil || c.Enabled != nil && !c.Enabled() {
		return
	}
	w.closeSheets()
	c.Run()
}

// find opens the search of the viewer or the conversation, whichever is in
// front.
func (w *Window) find() {
	switch {
	case w.viewer != nil:
		w.viewer.Find()
	case len(w.stack.All) == 0:
		w.Transcript.Find.Open()
	}
}

// bind gives the commands their keys.
func (w *Window) bind() {
	w.keys = make(map[fyne.KeyName]command)
	for _, c := range w.commands() {
		for _, s := range append([]kit.Shortcut{c.Shortcut}, c.Also...) {
			if s.Modifier == 0 && s.Key != fyne.KeyEscape {
				w.keys[s.Key] = c
			}
			s.Bind(w.win.Canvas(), func() { w.run(c) })
		}
	}
}

// typed handles a key that no widget took.
func (w *Window) typed(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		w.escape()
	case fyne.KeyPageUp:
		w.scrollPage(-1)
	case fyne.KeyPageDown:
		w.scrollPage(1)
	default:
		if c, ok := w.keys[e.Name]; ok {
			w.run(c)
		}
	}
}

// closeSheets closes all sheets, from the top down.
func (w *Window) closeSheets() {
	for i := len(w.stack.All) - 1; i >= 0; i-- {
		if i < len(w.stack.All) && w.stack.All[i].OnClose != nil {
			w.stack.All[i].OnClose()
		}
	}
}

// isSaved reports whether the shown conversation is in the history.
func (w *Window) isSaved() bool { return w.Conversation().Saved.ID != "" }

// hasHistory reports whether there is a history.
func (w *Window) hasHistory() bool { return w.options.History != nil }

func (w *Window) hasSeveral() bool { return len(w.Chats) > 1 }

// stepChat shows another conversation of the list. It wraps around at both ends.
func (w *Window) stepChat(by int) {
	n := len(w.Chats)
	w.Choose(((w.Current+by)%n + n) % n)
}
