package ui_test

import (
	"testing"

	"goated/internal/config"
	"goated/ui"
)

// With an open window, "goated servers add" returned before the settings contained the server,
// so a following "goated servers list" did not list it.
func TestAnEditFromOutsideSaysWhenItIsWritten(t *testing.T) {
	d := shown(t, ui.Options{})
	written := d.window.Edit(func(s config.Settings) config.Settings {
		s.Launch = append(s.Launch, config.Launch{Name: "live", Path: "/srv/live.py"})
		return s
	})
	d.until("it is written", func() bool {
		select {
		case <-written:
			return true
		default:
			return false
		}
	})
	if got := d.saved.get().Launch; len(got) != 1 || got[0].Name != "live" {
		t.Errorf("saved are %+v", got)
	}
}
