package shell

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// ChooseFile opens a file dialog and passes the path of the chosen file to found. If the file
// cannot be opened, it passes the error to failed. If endings are given, the dialog shows only
// files with one of these extensions. confirm is the label of the button.
func (st *Sheets) ChooseFile(confirm string, found func(path string), failed func(error), endings ...string) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			failed(err)
		case file != nil:
			path := file.URI().Path()
			_ = file.Close() // nothing has been read yet
			found(path)
		}
	}, st.Window)
	if len(endings) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(endings))
	}
	st.pick(d, confirm, "a file")
}

// ChooseFolder opens a dialog and passes the path of the chosen folder to found, or an error to
// failed.
func (st *Sheets) ChooseFolder(confirm string, found func(folder string), failed func(error)) {
	st.pick(dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			failed(err)
		case folder != nil:
			found(filepath.Clean(folder.Path()))
		}
	}, st.Window), confirm, "a folder")
}

// pick shows a file dialog over the sheets, with a scrim behind it like that of a sheet. When the
// dialog closes, the focus returns to the widget that had it before.
func (st *Sheets) pick(d *dialog.FileDialog, confirm, what string) {
	c := st.Window.Canvas()
	below := c.Focused()
	c.Unfocus() // otherwise its cursor would blink behind the dialog
	d.SetConfirmText(confirm)
	d.SetTitleText(confirm + " " + what)
	scrim := kit.NewPanel(kit.ColorScrim, kit.ColorNone, 0)
	scrim.Resize(c.Size())
	c.Overlays().Add(scrim)
	d.SetOnClosed(func() {
		c.Overlays().Remove(scrim)
		st.picker = nil
		if below != nil {
			c.Focus(below)
		} else if st.Top() == nil {
			st.OnTop(nil)
		}
	})
	d.Resize(fyne.NewSize(900, 620))
	st.picker = d
	d.Show()
	if p, ok := c.Overlays().Top().(*widget.PopUp); ok {
		withoutHandle(p.Content)
	}
}

// withoutHandle replaces the split in Fyne's dialog by its two halves side by side, because the
// handle of the split looks like a text cursor.
func withoutHandle(o fyne.CanvasObject) {
	box, ok := o.(*fyne.Container)
	if !ok {
		return
	}
	for i, o := range box.Objects {
		if s, ok := o.(*container.Split); ok {
			box.Objects[i] = container.NewBorder(nil, nil, s.Leading, nil, s.Trailing)
			box.Refresh()
			continue
		}
		withoutHandle(o)
	}
}

// Picking reports whether a file dialog is open. The dialog receives all input.
func (st *Sheets) Picking() bool { return st.picker != nil }

// ClosePicker cancels the open file dialog. It reports whether there was one.
func (st *Sheets) ClosePicker() bool {
	d := st.picker
	if d != nil {
		d.Dismiss()
	}
	return d != nil
}
