package ui_test

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui"
)

// lacking returns a window whose saved server did not start because its secret could not be
// read.
func lacking(t *testing.T, keyring *config.Keyring) *desk {
	t.Helper()
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	l := config.Launch{Name: "env", Path: scriptOf(t, "env.py", sayEnvironment), Env: []config.Variable{{Name: "API_TOKEN", Ref: "server-1"}, {Name: "SHADE", Value: "green"}}}
	c := consent.ConfigOf(l)
	c.Missing = client.MissingValues{Names: []string{"API_TOKEN"}, Err: errors.New("the keyring does not answer")}
	if _, err := client.ConnectSaved(t.Context(), host, c); err == nil {
		t.Fatal("the server runs without its secret")
	}
	d := hosted(t, ui.Options{Host: host, Keyring: keyring, Settings: config.Settings{Welcomed: true, Launch: []config.Launch{l}}})
	d.Press("Tools")
	d.sees("API_TOKEN is missing")
	d.sees("Needs you 1")
	d.sees("1 needs you")
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeyRight)
	d.until("the row says why", func() bool { return d.Says("the value of API_TOKEN can't be read: the keyring does not answer") })
	return d
}

// startsWith presses Start, and enters the missing value.
func (d *desk) startsWith(value string) {
	d.T.Helper()
	d.Press("Start")
	d.until("the sheet asks", func() bool { return d.Reads("Values of env") })
	d.Key(fyne.KeyEscape)
	d.until("the sheet is closed", func() bool { return !d.Reads("Values of env") })
	for _, l := range d.saved.get().Launch {
		if l.Off {
			d.T.Error("a cancelled start turns the server off, although its row says what is missing")
		}
	}
	d.Press("Start")
	d.until("the sheet asks again", func() bool { return d.Reads("Values of env") })
	d.Enter("API_TOKEN", value)
	d.Press("Start")
	d.wrote("given " + value + " green []")
	d.sees("Ready")
	if n := len(d.host.Snapshot().Servers); n != 1 {
		d.T.Errorf("%d servers are listed", n)
	}
}

// Without a keyring, a key disappeared when goated quit. The next start ran the server without
// it, and the window reported nothing.
func TestAServerWhoseKeyIsLostSaysSoWithoutAKeyring(t *testing.T) {
	d := lacking(t, nil)
	d.startsWith("s3cret")
}

// A keyring that did not respond at the start stores the value that the user enters.
func TestAServerWhoseKeyIsLostSaysSoWithAKeyring(t *testing.T) {
	keyring := new(ring)
	d := lacking(t, keyring.secrets())
	d.startsWith("s3cret")
	if keyring.values() != "s3cret" {
		t.Errorf("the keyring has %q", keyring.values())
	}
}

// The sheet that changes a server showed empty rows without the name of the missing variable.
func TestTheEditSheetNamesTheMissingVariable(t *testing.T) {
	keyring := new(ring)
	d := lacking(t, keyring.secrets())
	d.Press("Details")
	d.sees("Set API_TOKEN…")
	d.Press("Set API_TOKEN…")
	d.until("the sheet opens", func() bool { return d.CountFields("value") == 2 })
	if d.Field("NAME", 0) != "API_TOKEN" || d.Field("value", 0) != "" || d.Field("NAME", 1) != "SHADE" || !d.FieldFocused("value") {
		t.Errorf("the fields are %q", d.Fields())
	}
	d.Type("s3cret")
	d.Press("Save and restart")
	d.wrote("given s3cret green []")
	d.until("the keyring has it", func() bool { return keyring.values() == "s3cret" })
	for _, v := range d.saved.get().Launch[0].Env {
		if v.Name == "API_TOKEN" && v.Ref != "server-1" || strings.Contains(v.Value, "s3cret") {
			t.Errorf("saved is %+v", v)
		}
	}
}
