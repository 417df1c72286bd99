package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"goated/client"
)

// chooseFile opens a file dialog and passes the chosen path to found. If there are
// endings, it shows only files with one of them. confirm is the label of the
// button.
func (w *Window) chooseFile(confirm string, found func(path string), endings ...string) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			w.alert(fmt.Errorf("the file can't be opened: %w", err))
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		_ = file.Close() // nothing has been read yet
		found(path)
	}, w.win)
	d.SetConfirmText(confirm)
	if len(endings) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(endings))
	}
	d.Resize(fyne.NewSize(900, 620))
	d.Show()
}

// drop handles files dragged onto the window. For a script it opens the connect
// sheet. It attaches any other file, and a script dropped onto the composer.
func (w *Window) drop(at fyne.Position, files []fyne.URI) {
	var paths []string
	for _, u := range files {
		if u != nil && (u.Scheme() == "file" || u.Scheme() == "") {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) == 0 || w.Asked != nil {
		return
	}
	switch _, err := client.Command(paths[0]); {
	case w.Connector != nil && err != nil:
		w.alert(err)
	case w.Connector != nil:
		w.Connector.Path.Put(paths[0])
	case err == nil && len(paths) == 1 && !w.OverComposer(at):
		// Do not run it yet: the user may have meant to attach it.
		w.closeSheets()
		w.Connect()
		w.Connector.Path.Put(paths[0])
		w.Connector.Status.Set("Press Enter to run")
	case len(paths) == 1 && w.options.History != nil && !w.OverComposer(at) && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		w.closeSheets()
		w.Menu.ImportOrAttach(paths[0])
	default:
		w.closeSheets()
		w.Files.Attach(paths...)
	}
}

// alert shows an error in a toast.
func (w *Window) alert(err error) { w.shell.Alert(err) }
