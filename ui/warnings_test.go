package ui_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"goated/internal/config"
	"goated/internal/store"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// The window reports a failure to save the settings once. It tries again, for the last time
// when it closes.
func TestSettingsAreSavedAfterAFailure(t *testing.T) {
	var mu sync.Mutex // guards the rest
	var saved []string
	tries, full := 0, true
	d := shown(t, ui.Options{Settings: config.Settings{Welcomed: true}, Save: func(s config.Settings) error {
		mu.Lock()
		defer mu.Unlock()
		if tries++; full {
			return errors.New("the disk is full")
		}
		saved = append(saved, s.Theme)
		return nil
	}})
	for i, theme := range []string{"dark", "light"} {
		d.window.Edit(func(s config.Settings) config.Settings { s.Theme = theme; return s })
		d.until("the window tries to save", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return tries == i+1
		})
		d.sees("The disk is full.")
	}
	mu.Lock()
	full = false
	mu.Unlock()
	d.window.Close()
	d.until("what was posted has run", func() bool { return len(d.queue) == 0 })
	if n := d.Count("The disk is full."); n != 1 || !slices.Equal(saved, []string{"light"}) {
		t.Errorf("the window reports it %d times, and saved the themes %q", n, saved)
	}
}

// The banners above the composer show a history that cannot be opened, and a warning with
// unsaved messages.
func TestPictureWarnings(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	d.window.ShowChat(samplechat.Chat(), false)
	d.window.ShowUnsaved(store.ErrReadOnly, nil)
	d.looksLike("barred", false)
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{Warnings: []error{errors.New("the settings can't be read, so goated uses the defaults and does not save changes: reading /home/ada/.config/goated/settings.json: permission denied")}})
		d.window.ShowChat(samplechat.Chat(), false)
		d.window.ShowUnsaved(nil, store.ErrFull)
		d.looksLike("caution", dark)
	}
}
