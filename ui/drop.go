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

// lookFor has the user look for a file, with one of the endings if there are any.
// confirm is what its button says; found gets the path.
func (w *Window) lookFor(confirm string, found func(path string), endings ...string) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			w.alert(fmt.Errorf("the file can't be opened: %w", err))
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		_ = file.Close() // nothing was read of it yet
		found(path)
	}, w.win)
	d.SetConfirmText(confirm)
	if len(endings) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(endings))
	}
	d.Resize(fyne.NewSize(900, 620))
	d.Show()
}

// drop takes files that were dragged onto the window. A script is offered to be
// connected; onto the composer it is attached like any other file.
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
		// It is not run yet: a file that is dropped to be read must not be.
		w.clear()
		w.Connect()
		w.Connector.Path.Put(paths[0])
		w.Connector.Status.Set("Press Enter to run it")
	case len(paths) == 1 && w.options.History != nil && !w.OverComposer(at) && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		w.clear()
		w.Menu.ImportOrAttach(paths[0])
	default:
		w.clear()
		w.Files.Attach(paths...)
	}
}

// alert shows an error in a toast.
func (w *Window) alert(err error) { w.shell.Alert(err) }
