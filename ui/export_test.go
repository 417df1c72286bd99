package ui

import (
	"context"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/servers"
	"goated/ui/view"
)

// Tests of the whole window live in package ui_test and use the window as a
// person does. These methods give them the time, a state to begin with, and a
// moment to wait for. Nothing here reads what the window shows.

// SetNow sets what the window takes for the time.
func (w *Window) SetNow(now func() time.Time) { w.shell.Now = now }

// Tick lets n beats of the window's clock pass.
func (w *Window) Tick(n int) {
	for range n {
		w.shell.Clock.Tick(1)
	}
}

// Ticking is how many parts of the window move by themselves now.
func (w *Window) Ticking() int { return len(w.shell.Clock.Tickers) }

// Settled reports whether no turn is under way and the conversation that is shown
// was read from the history after its last turn.
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

// Coloured reports whether all listings have their colours.
func (w *Window) Coloured() bool { return len(w.chats.Transcript.Text.Colours.Waiting) == 0 }

// ShowServers shows a state of the servers, as the host reports it.
func (w *Window) ShowServers(s client.Snapshot) { w.see(s) }

// ShowChat shows chat in the present conversation. running says that a turn is
// under way in it.
func (w *Window) ShowChat(chat view.Chat, running bool) {
	c := w.chats.Conversation()
	c.Chat, c.Cancel = chat, nil
	if running {
		c.Cancel = func() {}
	}
	w.chats.Refresh()
}

// Permit asks whether a server, whose id is its name, may do something that it lacks.
func (w *Window) Permit(ctx context.Context, name, command string, p sandbox.Permission) bool {
	return servers.AskPermission(ctx, w.options.Dialogs.Put, servers.PermissionRequest{ID: name, Name: name, Command: command, What: p}, w.servers.Warning(p)).Allow
}

// Import imports conversations from a file, as after the dialog that looks for it.
func (w *Window) Import(path string) { w.chats.Menu.ImportFile(path) }

// Hidden reports whether Toggle took the window off the screen.
func (w *Window) Hidden() bool { return w.presence.hidden }

// Save opens the sheet that saves data to a file.
func (w *Window) Save(name string, data []byte) { openSave(w.shell, name, data) }

// ShowUnsaved shows why the history is not open, and why messages wait in memory. Nil: they
// do not.
func (w *Window) ShowUnsaved(unopened, waiting error) {
	if unopened != nil {
		w.chats.WarningBar.ShowUnopened(unopened, func() {})
	}
	w.chats.WarningBar.Pending(waiting)
}

// ReadFiles reads files for the answer of a dialog.
func ReadFiles(paths ...string) error {
	_, err := readFiles(paths)
	return err
}
