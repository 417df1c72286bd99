package chats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui/popup"
	"goated/ui/view/format"
)

// more opens the menu for all conversations.
func (m *menu) more(at fyne.Position) {
	popup.Show(m.page.shell.Sheets.Window.Canvas(), at,
		popup.Item{Text: "Import conversations…", Icon: "folder", Do: m.PickImport},
		popup.Item{Text: "Export all as JSON…", Icon: "save", Do: m.ExportAll},
	)
}

// PickImport lets the user choose a file of conversations.
func (m *menu) PickImport() { m.page.on.LookFor("Import", m.ImportFile, ".json") }

// ImportFile imports the conversations of a file, and shows the first of them.
func (m *menu) ImportFile(path string) {
	var ids []string
	m.page.History.Loader.inBackground(func(ctx context.Context) (err error) {
		ids, err = m.imported(ctx, path)
		return err
	}, func() {
		m.page.History.Loader.adopt(ids, m.page.Choose)
		if n := len(ids); n == 0 {
			m.page.shell.Toasts.Say("info", "That file contains no conversations.")
		} else {
			m.page.shell.Toasts.Say("check", format.Plural(n, "Imported one conversation", "Imported %d conversations"))
		}
	})
}

// importPause is the time between two progress messages of an import.
const importPause = 2 * time.Second

// importing returns a function that shows the progress of a slow import.
func (m *menu) importing() func(done, all int) {
	shown := time.Now()
	return func(done, all int) {
		if done >= all || time.Since(shown) < importPause {
			return
		}
		shown = time.Now()
		m.page.shell.Post(func() {
			m.page.shell.Toasts.Say("info", fmt.Sprintf("Importing: %d %% of about %d messages", 100*done/all, all))
		})
	}
}

func (m *menu) imported(ctx context.Context, path string) ([]string, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, err)
	}
	defer f.Close()
	ids, err := m.page.History.Store.Import(ctx, f, m.importing())
	if err != nil {
		if bare := errors.Unwrap(err); bare != nil {
			err = bare
		}
		return nil, fmt.Errorf("%s can't be imported: %w", name, err)
	}
	return ids, nil
}

// ImportOrAttach handles a dropped file. It imports a file of conversations, and attaches any
// other file.
func (m *menu) ImportOrAttach(path string) {
	exported := false
	m.page.History.Loader.inBackground(func(context.Context) error {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", filepath.Base(path), err)
		}
		defer f.Close()
		exported = store.IsExport(f)
		return nil
	}, func() {
		if exported {
			m.ImportFile(path)
		} else {
			m.page.Files.Attach(path)
		}
	})
}

// ExportAll writes all conversations to a file that the user chooses.
func (m *menu) ExportAll() {
	var b bytes.Buffer
	m.page.History.Loader.inBackground(func(ctx context.Context) error {
		return m.page.History.Store.ExportJSON(ctx, &b)
	}, func() { m.page.on.Save("goated conversations.json", b.Bytes()) })
}
