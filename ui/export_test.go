package ui

import (
	"context"
	"slices"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/servers"
	"goated/ui/view"
)

// Tests of the whole window are in package ui_test and use the window as a person does. These
// methods give them control of the time, an initial state, and a condition to wait for. Nothing
// here reads what the window shows.

// SetNow sets the clock that the window reads.
func (w *Window) SetNow(now func() time.Time) { w.shell.Now = now }

// Tick lets n beats of the window's clock pass.
func (w *Window) Tick(n int) {
	for range n {
		w.shell.Clock.Tick(1)
	}
}

// Ticking returns the number of running animations in the window.
func (w *Window) Ticking() int { return len(w.shell.Clock.Tickers) }

// Settled reports whether no turn is running and the window has read the shown conversation
// from the history after its last turn.
func (w *Window) Settled() bool {
	for _, c := range w.chats.Chats {
		if c.Running() || c.Read.Loading {
			return false
		}
	}
	c := w.chats.Conversation()
	if w.options.History == nil || c.Chat.Len() == 0 && c.Saved.ID == "" {
		return true
	}
	n := len(c.Thread.Turns)
	return c.Saved.ID != "" && (n == 0 || c.Thread.Turns[n-1].ID == c.Saved.Active) && c.Thread.End == c.Chat.Len()
}

// Coloured reports whether all code listings have their syntax colours.
func (w *Window) Coloured() bool { return len(w.chats.Transcript.Text.Colours.Waiting) == 0 }

// ShowServers shows a state of the servers as if the host had reported it.
func (w *Window) ShowServers(s client.Snapshot) { w.showServers(s) }

// ShowsServers reports whether the window has received the state of these servers.
func (w *Window) ShowsServers(s client.Snapshot) bool {
	return slices.EqualFunc(w.servers.Snapshot.Servers, s.Servers, func(shown, now client.Server) bool {
		return shown.ID == now.ID && shown.Status == now.Status && len(shown.Tools) == len(now.Tools)
	})
}

// ShowChat shows chat in the current conversation. running determines whether the conversation
// has a running turn.
func (w *Window) ShowChat(chat view.Chat, running bool) {
	c := w.chats.Conversation()
	c.Chat, c.Cancel = chat, nil
	if running {
		c.Cancel = func() {}
	}
	w.chats.Refresh()
}

// Permit asks whether a server may do something that it may not do yet. The server's ID is its
// name.
func (w *Window) Permit(ctx context.Context, name, command string, p sandbox.Permission) bool {
	return servers.AskPermission(ctx, w.options.Dialogs.Put, servers.PermissionRequest{ID: name, Name: name, Command: command, What: p}, w.servers.Warning(p)).Allow
}

// Import imports conversations from a file, as if the user had chosen it in the file dialog.
func (w *Window) Import(path string) { w.chats.Menu.ImportFile(path) }

// Hidden reports whether Toggle has hidden the window.
func (w *Window) Hidden() bool { return w.presence.hidden }

// Save opens the sheet that saves data to a file.
func (w *Window) Save(name string, data []byte) { openSave(w.shell, name, data) }

// ShowUnsaved shows why the history is not open, and why messages wait in memory. A nil error
// means that there is no such problem.
func (w *Window) ShowUnsaved(unopened, waiting error) {
	if unopened != nil {
		w.chats.WarningBar.ShowUnopened(unopened, func() {})
	}
	w.chats.WarningBar.Pending(waiting)
}

// ReadFiles reads files as attachments to the answer of a dialog.
func ReadFiles(paths ...string) error {
	_, err := readFiles(paths)
	return err
}
