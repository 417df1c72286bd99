package shell

import (
	"path/filepath"
	"slices"

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

// A picker is an open file dialog.
type picker struct {
	over   *kit.Sheet // the sheet that it belongs to; nil: the page
	dialog *dialog.FileDialog
	layers []fyne.CanvasObject // its overlays, from the lowest
}

// pick shows a file dialog over the sheets, with a scrim behind it like that of a sheet. When the
// dialog closes, the focus returns to the widget that had it before. A sheet may open over the
// dialog in the meantime.
func (st *Sheets) pick(d *dialog.FileDialog, confirm, what string) {
	c := st.Window.Canvas()
	below := c.Focused()
	c.Unfocus() // otherwise its cursor would blink behind the dialog
	d.SetConfirmText(confirm)
	d.SetTitleText(confirm + " " + what)
	scrim := kit.NewPanel(kit.ColorScrim, kit.ColorNone, 0)
	scrim.Resize(c.Size())
	c.Overlays().Add(scrim)
	p := &picker{over: st.Top(), dialog: d, layers: []fyne.CanvasObject{scrim}}
	d.SetOnClosed(func() {
		st.pickers = slices.DeleteFunc(st.pickers, func(o *picker) bool { return o == p })
		c.Overlays().Remove(scrim)
		st.restack()
		switch {
		case st.Top() != p.over || st.Picking(): // something else is in front
		case below != nil:
			c.Focus(below)
		case p.over == nil:
			st.OnTop(nil)
		}
	})
	d.Resize(fyne.NewSize(900, 620))
	st.pickers = append(st.pickers, p)
	d.Show()
	if o, ok := c.Overlays().Top().(*widget.PopUp); ok {
		p.layers = append(p.layers, o)
		withoutHandle(o.Content)
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

// Picking reports whether a file dialog is on top. It receives all input then.
func (st *Sheets) Picking() bool {
	n := len(st.pickers)
	return n > 0 && st.pickers[n-1].over == st.Top()
}

// ClosePicker cancels the file dialog on top. It reports whether there was one.
func (st *Sheets) ClosePicker() bool {
	if !st.Picking() {
		return false
	}
	st.pickers[len(st.pickers)-1].dialog.Dismiss()
	return true
}

// closePickers cancels the file dialogs of a sheet that has closed, because nothing would use the
// file.
func (st *Sheets) closePickers(of *kit.Sheet) {
	for _, p := range slices.Backward(slices.Clone(st.pickers)) {
		if p.over == of {
			p.dialog.Dismiss()
		}
	}
}
