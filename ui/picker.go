package ui

import (
	"fmt"
	"io"
	"mime"
	"path/filepath"

	"fyne.io/fyne/v2"
	fynedialog "fyne.io/fyne/v2/dialog"

	"goated/servers/pause/dialog"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// picker returns a function that lets the user choose a file for an answer.
func picker(sh *shell.Shell) func(add func([]dialog.Attachment)) {
	return func(add func([]dialog.Attachment)) {
		d := fynedialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
			if err != nil {
				sh.Alert(err)
			}
			if file == nil {
				return
			}
			sh.Go(func() {
				attachment, err := readAttachment(file)
				sh.Post(func() {
					if err != nil {
						sh.Alert(err)
						return
					}
					add([]dialog.Attachment{attachment})
				})
			})
		}, sh.Sheets.Window)
		d.SetConfirmText("Attach")
		d.Resize(fyne.NewSize(900, 620))
		d.Show()
	}
}

// readAttachment reads a file and closes it.
func readAttachment(file fyne.URIReadCloser) (dialog.Attachment, error) {
	defer file.Close()
	name := file.URI().Name()
	data, err := io.ReadAll(io.LimitReader(file, dialog.MaxAttachments+1))
	if err != nil {
		return dialog.Attachment{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > dialog.MaxAttachments {
		return dialog.Attachment{}, fmt.Errorf("%s is too large: at most %s can be attached", name, format.Size(dialog.MaxAttachments))
	}
	return dialog.Attachment{Name: name, Type: mediaType(name), Data: data}, nil
}

// mediaType returns the media type of a file by its name.
func mediaType(name string) string {
	if t, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(name))); err == nil {
		return t
	}
	return "application/octet-stream"
}
