package ui_test

import (
	"testing"

	"goated/internal/config"
	"goated/ui"
)

// "goated servers add" with an open window returned before the settings had the server, so "goated
// servers list" behind it did not list it.
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
