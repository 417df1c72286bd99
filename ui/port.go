package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/internal/store"
	"goated/ui/view"
)

// more shows what can be done with conversations as a whole.
func (w *Window) more(at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("",
		fyne.NewMenuItem("Import conversations…", w.pickImport),
		fyne.NewMenuItem("Export all as JSON…", w.exportAll),
	), w.win.Canvas(), at)
}

// pickImport has the user look for a file of conversations.
func (w *Window) pickImport() { w.lookFor("Import", w.importFile, ".json") }

// importFile adds the conversations of a file, and opens the first of them.
func (w *Window) importFile(path string) {
	var ids []string
	w.keep(func(ctx context.Context) (err error) {
		ids, err = w.imported(ctx, path)
		return err
	}, func() {
		w.adopt(ids, w.choose)
		if n := len(ids); n == 0 {
			w.toasts.Say("info", "There are no conversations in that file.")
		} else {
			w.toasts.Say("check", view.Plural(n, "Imported one conversation", "Imported %d conversations"))
		}
	})
}

func (w *Window) imported(ctx context.Context, path string) ([]string, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, err)
	}
	defer f.Close()
	ids, err := w.options.History.Import(ctx, f)
	if err != nil {
		if bare := errors.Unwrap(err); bare != nil {
			err = bare
		}
		return nil, fmt.Errorf("%s can't be imported: %w", name, err)
	}
	return ids, nil
}

// importOrAttach takes a file that was dropped: conversations are imported, other
// data goes with the next message.
func (w *Window) importOrAttach(path string) {
	exported := false
	w.keep(func(context.Context) error {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", filepath.Base(path), err)
		}
		defer f.Close()
		exported = store.IsExport(f)
		return nil
	}, func() {
		if exported {
			w.importFile(path)
		} else {
			w.attach(path)
		}
	})
}

// exportAll writes all conversations to a file that the person names.
func (w *Window) exportAll() {
	var b bytes.Buffer
	w.keep(func(ctx context.Context) error {
		return w.options.History.ExportJSON(ctx, &b)
	}, func() { w.save("goated conversations.json", b.Bytes()) })
}
