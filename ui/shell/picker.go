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

// ChooseFile opens a file dialog and passes the path of the chosen file to found, or the error of a
// file that cannot be opened to failed. With endings, it shows only files with one of them. confirm is
// the label of the button.
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

// ChooseFolder opens a dialog and passes the path of the chosen folder to found, or its error to
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

// pick shows a file dialog over the sheets, above a scrim as they have. What had the focus gets it
// back when the dialog closes.
func (st *Sheets) pick(d *dialog.FileDialog, confirm, what string) {
	c := st.Window.Canvas()
	below := c.Focused()
	c.Unfocus() // its cursor would blink below the dialog
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

// withoutHandle puts the two halves of a split of Fyne's dialog beside each other: its handle looks
// like the cursor of a text.
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

// Picking reports whether a file dialog is open. It takes all input.
func (st *Sheets) Picking() bool { return st.picker != nil }

// ClosePicker closes the open file dialog without a choice, and reports whether there was one.
func (st *Sheets) ClosePicker() bool {
	d := st.picker
	if d != nil {
		d.Dismiss()
	}
	return d != nil
}
