package ui_test

import (
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
)

// The pencil of a running server opened a form without its name and command, and the pencil of
// a stopped server opened a different form. Both now open the same form, and the change
// replaces the server.
func TestThePencilOpensOneFormForARunningAndAStoppedServer(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	folder, id := t.TempDir(), host.Snapshot().Servers[0].ID
	edits := func() {
		t.Helper()
		if d.Icons("pencil") == 0 {
			d.Press(l.Name)
		}
		d.PressIcon("pencil")
		d.until("the form is filled", func() bool { return d.Reads("Edit "+l.Name) && d.Field(scriptField) == l.Path })
		if !d.HasField("NAME") || !d.HasField(folderField) || d.Field("Name") != l.Name || d.Reads("SERVERS") {
			t.Errorf("the form shows %q", d.Texts())
		}
	}
	edits()
	d.Enter(folderField, folder)
	d.Press("Save and restart")
	d.sees(l.Name + " restarted")
	d.sees("Ready")
	if s := host.Snapshot().Servers; len(s) != 1 || s[0].ID != id || s[0].Dir != folder {
		t.Errorf("the servers are %+v", s)
	}
	edits()
	d.Enter("Name", "Parrot")
	d.Key(fyne.KeyReturn)
	d.until("the server has its name", func() bool {
		s := host.Snapshot().Servers
		return len(s) == 1 && s[0].Name == "Parrot" && s[0].Status == client.Connected
	})
	d.until("only that is saved", func() bool {
		s := d.saved.get().Launch
		return len(s) == 1 && s[0].Name == "Parrot" && s[0].Dir == folder
	})
	if l.Name = "Parrot"; !d.Reads("Add server") {
		t.Fatalf("the sheet stays open: %q", d.Texts())
	}
	d.Key(fyne.KeySpace) // turns it off
	d.until("it is off", func() bool { return len(host.Snapshot().Servers) == 0 && d.window.ShowsServers(client.Snapshot{}) })
	edits()
	d.Press("Save and start")
	d.until("it runs", func() bool {
		return slices.ContainsFunc(host.Snapshot().Servers, func(s client.Server) bool {
			return s.Status == client.Connected && filepath.Base(s.Path) == filepath.Base(l.Path)
		})
	})
}

// "Save and restart" silently closed the form if nothing was changed.
func TestTheEditSheetRestartsAServerThatIsUnchanged(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	id := host.Snapshot().Servers[0].ID
	d.Press(l.Name)
	d.PressIcon("pencil")
	d.until("the form is filled", func() bool { return d.Field(scriptField) == l.Path })
	d.Press("Save and restart")
	d.sees(l.Name + " restarted")
	if s := host.Snapshot().Servers; len(s) != 1 || s[0].ID != id || d.Reads("Save and restart") {
		t.Errorf("the servers are %+v, and the screen shows %q", s, d.Texts())
	}
}

// "Edit…" closed the server's page, which silently lost what the user had entered for a tool.
func TestEditKeepsTheValuesOfATool(t *testing.T) {
	d := tried(t, `[{"type": "text", "text": text}]`)
	d.Press("Process")
	d.Press("Edit…")
	if d.Reads("Edit echo") || d.Field("") != "hello" {
		t.Errorf("the screen shows %q", d.Texts())
	}
}
