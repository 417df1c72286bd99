package ui

import (
	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/store"
	"goated/ui/chats"
	"goated/ui/servers"
	"goated/ui/shell"
	"goated/ui/transcript"
)

// Pictures and walks need states that a test can otherwise reach only with the servers of
// another computer or with a year of history. These methods start in such a state.

// ShowChats replaces the conversations and shows one of them.
func (w *Window) ShowChats(shown int, all ...*chats.Conversation) {
	w.chats.Chats, w.chats.Current = all, shown
	w.chats.Transcript.Reset()
	w.chats.Files.ShowFiles()
	w.chats.Refresh()
}

// ShowFound shows the results of a history search, and marks the words in the conversation.
func (w *Window) ShowFound(query string, words []string, hits []store.Hit) {
	w.chats.Sidebar.Search.Found(query, hits, nil)
	t := w.chats.Transcript
	t.Begin = nil // searches immediately
	t.Flashes.Show(0, len(t.View.Items), words)
}

// ShowSelection selects a part of the conversation and leaves the focus where it is.
func (w *Window) ShowSelection(from, to transcript.TextPos) {
	w.chats.Transcript.Selection.Mark(from, to)
}

// ShowLink shows the address of a link, as if the pointer were over it and over an item.
func (w *Window) ShowLink(item int, address string) {
	w.chats.Transcript.Overlay.Hover(item, address)
}

// ShowQuestion asks about calls in a conversation.
func (w *Window) ShowQuestion(c *chats.Conversation, calls ...agent.Pending) {
	w.chats.Questions.Ask(c, calls, func([]agent.Answer) {})
}

// ShowMenu opens the menu of the shown conversation.
func (w *Window) ShowMenu(at fyne.Position) { w.chats.Menu.Open(w.chats.Current, at) }

// ShowActions gives messages the buttons and keys that need a history. Pressing one calls done.
func (w *Window) ShowActions(done func(action string, item int)) {
	action := func(name string) func(int) { return func(item int) { done(name, item) } }
	on := &w.chats.Transcript.On
	on.Edit, on.Regenerate, on.Delete = action("edit"), action("again"), action("delete")
}

// ShowPermissions shows the permissions of the open server, which the host runs as l with the
// configuration c.
func (w *Window) ShowPermissions(l config.Launch, c client.Config) {
	p := w.servers.Page
	p.Select(servers.ServerPermissions)
	p.Show(p.Permissions.Draw(l, c))
}

// ShowConnectError shows in the open sheet why the server of text did not start.
func (w *Window) ShowConnectError(text string, err error) {
	w.servers.Connector.Path.Put(text)
	w.servers.Connector.Fail(err)
}

// Shell returns the shell that the window passes to its pages. A test uses it to open a sheet
// or a toast like a page.
func (w *Window) Shell() *shell.Shell { return w.shell }
