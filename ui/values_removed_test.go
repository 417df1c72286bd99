package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/ui"
)

func TestCancelLeavesARemovedServerAway(t *testing.T) {
	keyring := new(ring)
	secrets := keyring.secrets()
	keyring.held["server-a"] = "abc"
	notes := config.Launch{Name: "notes", Command: "python3", Off: true,
		Env: []config.Variable{{Name: "A_TOKEN", Ref: "server-a"}, {Name: "B_TOKEN", Ref: "server-b"}}}
	for _, removed := range []bool{false, true} {
		d := hosted(t, ui.Options{Keyring: secrets, Settings: config.Settings{Launch: []config.Launch{notes}}})
		d.Press("Tools")
		d.Key(fyne.KeyHome)
		d.Key(fyne.KeySpace)
		d.until("the sheet opens", func() bool { return d.Reads("Values of notes") })
		if removed {
			d.window.Edit(func(s config.Settings) config.Settings { return s.WithoutStart(notes) })
			d.until("it is removed", func() bool { return len(d.saved.get().Launch) == 0 })
		}
		d.Key(fyne.KeyEscape)
		d.until("the sheet is closed", func() bool { return !d.Reads("Values of notes") })
		d.window.Edit(func(s config.Settings) config.Settings { s.Theme = "light"; return s })
		d.until("all is saved", func() bool { return d.saved.get().Theme == "light" })
		switch list := d.saved.get().Launch; {
		case removed && len(list) != 0:
			t.Errorf("Cancel brings back %+v", list)
		case !removed && (len(list) != 1 || !list[0].Off || list[0].Env[0].Value != ""):
			t.Errorf("saved is %+v", list)
		}
	}
}
