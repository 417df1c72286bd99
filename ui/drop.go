package ui

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"goated/client"
)

// drop handles files dragged onto the window. A script opens the connect sheet, unless it is
// dropped onto the composer. Every other file is attached.
func (w *Window) drop(at fyne.Position, files []fyne.URI) {
	var paths []string
	for _, u := range files {
		if u != nil && (u.Scheme() == "file" || u.Scheme() == "") {
			paths = append(paths, u.Path())
		}
	}
	if top := w.shell.Sheets.Top(); len(paths) > 0 && top != nil && top.OnDrop != nil {
		top.OnDrop(paths)
		return
	}
	if len(paths) == 0 || w.questions.Asked != nil || !w.chats.OverComposer(at) && w.chats.Questions.Drop(paths) {
		return
	}
	switch _, err := client.Command(paths[0]); {
	case w.servers.Connector != nil:
		w.servers.Connector.Path.Put(paths[0])
	case err == nil && len(paths) == 1 && !w.chats.OverComposer(at):
		// Do not run it yet, because the user may have meant to attach it.
		w.closeSheets()
		w.servers.Connect()
		w.servers.Connector.Path.Put(paths[0])
		w.servers.Connector.Status.Set("Press Enter to run")
	case len(paths) == 1 && w.options.History != nil && !w.chats.OverComposer(at) && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		w.closeSheets()
		w.chats.Menu.ImportOrAttach(paths[0])
	default:
		w.closeSheets()
		w.chats.Files.Attach(paths...)
	}
}
