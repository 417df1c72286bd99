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

// more shows the menu for all conversations.
func (m *chatMenu) more(at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("",
		fyne.NewMenuItem("Import conversations…", m.pickImport),
		fyne.NewMenuItem("Export all as JSON…", m.exportAll),
	), m.page.shell.Sheets.Window.Canvas(), at)
}

// pickImport lets the user pick a file of conversations.
func (m *chatMenu) pickImport() { m.page.on.LookFor("Import", m.importFile, ".json") }

// importFile adds the conversations of a file, and shows the first of them.
func (m *chatMenu) importFile(path string) {
	var ids []string
	m.page.loader.keep(func(ctx context.Context) (err error) {
		ids, err = m.imported(ctx, path)
		return err
	}, func() {
		m.page.loader.adopt(ids, m.page.choose)
		if n := len(ids); n == 0 {
			m.page.shell.Toasts.Say("info", "There are no conversations in that file.")
		} else {
			m.page.shell.Toasts.Say("check", view.Plural(n, "Imported one conversation", "Imported %d conversations"))
		}
	})
}

func (m *chatMenu) imported(ctx context.Context, path string) ([]string, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, err)
	}
	defer f.Close()
	ids, err := m.page.history.Import(ctx, f)
	if err != nil {
		if bare := errors.Unwrap(err); bare != nil {
			err = bare
		}
		return nil, fmt.Errorf("%s can't be imported: %w", name, err)
	}
	return ids, nil
}

// importOrAttach takes a dropped file: it imports conversations, and attaches any
// other data.
func (m *chatMenu) importOrAttach(path string) {
	exported := false
	m.page.loader.keep(func(context.Context) error {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", filepath.Base(path), err)
		}
		defer f.Close()
		exported = store.IsExport(f)
		return nil
	}, func() {
		if exported {
			m.importFile(path)
		} else {
			m.page.files.attach(path)
		}
	})
}

// exportAll writes all conversations to a file that the user names.
func (m *chatMenu) exportAll() {
	var b bytes.Buffer
	m.page.loader.keep(func(ctx context.Context) error {
		return m.page.history.ExportJSON(ctx, &b)
	}, func() { m.page.on.Save("goated conversations.json", b.Bytes()) })
}
