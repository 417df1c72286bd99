package ui

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"goated/client"
)

// drop handles files dragged onto the window. A script opens the connect sheet, unless it is
// dropped onto the composer. Every other file is attached. A sheet that holds what the user typed
// stays, and so does a file dialog.
func (w *Window) drop(at fyne.Position, files []fyne.URI) {
	var paths []string
	for _, u := range files {
		if u != nil && (u.Scheme() == "file" || u.Scheme() == "") {
			paths = append(paths, u.Path())
		}
	}
	top := w.shell.Sheets.Top()
	if len(paths) == 0 || w.shell.Sheets.Picking() {
		return
	}
	if top != nil && top.OnDrop != nil {
		top.OnDrop(paths)
		return
	}
	if w.questions.Asked != nil || !w.chats.OverComposer(at) && w.chats.Questions.Drop(paths) {
		return
	}
	if c := w.servers.Connector; c != nil && top == c.Sheet {
		if !c.Path.Disabled() { // a server is starting
			c.Path.TypedShortcut(&fyne.ShortcutSelectAll{})
			c.Path.Insert(paths[0]) // Ctrl+Z brings back what the user typed
		}
		return
	}
	if !w.shell.LeaveSheets() {
		return
	}
	switch _, err := client.Command(paths[0]); {
	case err == nil && len(paths) == 1 && !w.chats.OverComposer(at):
		// Do not run it yet, because the user may have meant to attach it.
		w.servers.Connect()
		w.servers.Connector.Path.Put(paths[0])
		w.servers.Connector.Status.Set("Press Enter to run")
	case len(paths) == 1 && w.options.History != nil && !w.chats.OverComposer(at) && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		w.chats.Menu.ImportOrAttach(paths[0])
	default:
		w.chats.Files.Attach(paths...)
	}
}
