package ui_test

import (
	"path/filepath"
	"testing"

	"goated/client"
	"goated/internal/config"
	"goated/internal/linked"
	"goated/internal/sandbox"
	"goated/ui"
)

// The form promised that each change applies to later starts. But a change to a server of a
// linked file lasts only until the server stops, and was saved beside the file. A change to a
// server of --server was not saved. For a server started with --no-sandbox, the form said "In
// the sandbox it can do only this".
func TestTheEditSheetSaysHowLongAChangeLasts(t *testing.T) {
	l := config.Launch{Path: echoServer(t)}
	link := config.Link{Path: filepath.Join(t.TempDir(), ".mcp.json"), Agreed: []string{linked.Mark(l)}}
	for _, tt := range []struct {
		name, says, button string
		args, dir          string
		links              []config.Link
		saved              bool
	}{
		{"--server", "Changes also apply to later starts.", "Save and restart", "-v", "", nil, true},
		{"a linked file", "Its linked file says how it starts. This change lasts until it stops.", "Change and restart", "", t.TempDir(), []config.Link{link}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := hosted(t, ui.Options{Settings: config.Settings{Linked: tt.links}})
			if _, err := d.host.Connect(t.Context(), client.Config{Path: l.Path, NoSandbox: true}); err != nil {
				t.Fatal(err)
			}
			d.Press("Tools")
			edits := func() {
				t.Helper()
				d.sees("Ready")
				if d.Icons("pencil") == 0 {
					d.Press("echo")
				}
				d.PressIcon("pencil")
				d.until("the form is filled", func() bool { return d.Field(scriptField) == l.Path })
				if !d.Reads(tt.says) {
					t.Errorf("the form does not say %q: %q", tt.says, d.Texts())
				}
				if sandbox.Probe().Confined() && !d.Says("It runs without the sandbox, as you chose.") {
					t.Errorf("the form promises the sandbox: %q", d.Texts())
				}
			}
			edits()
			d.Enter(argumentsField, tt.args)
			d.Enter(folderField, tt.dir)
			d.Press(tt.button)
			d.sees("echo restarted")
			edits() // the file still lists the server, although it runs with other arguments
			d.Press("Cancel")
			d.window.Close() // saves the settings
			if got := d.saved.get().Launch; len(got) == 1 != tt.saved {
				t.Errorf("saved is %+v", got)
			}
		})
	}
}
