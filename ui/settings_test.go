package ui_test

import (
	"context"
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/config"
	"goated/registry"
	"goated/ui"
	"goated/ui/settings"
)

func TestSettingsAreSavedAtTheLatestWithClose(t *testing.T) {
	d := shown(t, ui.Options{})
	d.run("Theme: dark")
	d.run("Larger")
	d.window.Close()
	if got := d.saved.get(); got.Theme != "dark" || got.Zoom != 110 {
		t.Errorf("saved is %+v", got)
	}
}

func TestWelcomeIsShownOnce(t *testing.T) {
	k := &savedSettings{}
	d := shown(t, ui.Options{Save: k.save})
	if !d.Reads("Welcome to goated") {
		t.Fatal("the welcome is not shown")
	}
	d.Press("Try")
	if d.draft() != "List the files in ." || d.Layers() != 0 {
		t.Errorf("the composer holds %q", d.draft())
	}
	d.window.Close()
	if !k.get().Welcomed {
		t.Fatal("the settings do not remember it")
	}
	again := shown(t, ui.Options{Save: k.save, Settings: k.get()})
	if again.Layers() != 0 {
		t.Error("the welcome comes again")
	}
}

func TestKeyIsSavedTestedAndNeverShown(t *testing.T) {
	const key = "AIza-not-a-real-key"
	var saved string
	keys := &settings.Keys{
		Save:   func(_ context.Context, k string) error { saved = k; return nil },
		Clear:  func(context.Context) error { saved = ""; return nil },
		Models: func(context.Context) ([]string, error) { return []string{"gemini-a", "gemini-b"}, nil },
	}
	made := 0
	d := shown(t, ui.Options{Keys: keys, Model: "offline", Remake: func(context.Context, config.Settings) (ui.Answering, error) {
		a := ui.Answering{NewSession: func() *agent.Session { made++; return &agent.Session{} }, Model: "offline"}
		if saved != "" {
			a.Model, a.KeyFrom = "gemini-a", "keyring"
		}
		return a, nil
	}})
	d.run("Gemini key…")
	d.Enter("Paste your key", key)
	if d.Says(key) {
		t.Error("the key is shown while it is typed")
	}
	d.Press("Save")
	d.sees("The key works. You can choose from 2 models.")
	if saved != key || made == 0 {
		t.Errorf("saved is %q, %d sessions use it", saved, made)
	}
	d.sees("A key is set (from the keyring)")
	if d.Says("AIza") {
		t.Error("the key is shown")
	}
	d.Press("Remove")
	d.sees("No key is set")
	if saved != "" {
		t.Errorf("after removing %q is saved", saved)
	}
	d.closeSheets()
	if !d.Reads("offline") {
		t.Error("the header does not show the model that answers now")
	}
}

func TestGrantIsRevoked(t *testing.T) {
	p := &agent.Policy{}
	p.Grant(registry.Entry{Name: "files__write"})
	d := newDesk(t, ui.Options{Policy: p})
	d.run("Granted approvals")
	d.Press("Revoke")
	if len(p.Grants()) != 0 || d.Reads("files__write") {
		t.Error("the approval is still granted")
	}
}

func TestDataFolderOpensAsTheDesktopDoes(t *testing.T) {
	d := shown(t, ui.Options{DataDir: "/home/ada/my data", LogFile: "/home/ada/my data/goated.log"})
	d.openErr = errBoom
	d.run("Data folder and log")
	d.Press("Open folder")
	d.until("the window says that it did not open", func() bool { return d.Reads("Opening failed: " + errBoom.Error()) })
	if got := <-d.opened; got != "file:///home/ada/my%20data" {
		t.Errorf("the desktop opens %s", got)
	}
}

// A toast does not repeat a warning, and warnings stay until the user dismisses
// them.
func TestWarnings(t *testing.T) {
	d := shown(t, ui.Options{Warnings: []error{errText("the log can't be written"), errText("conversations are not kept")}})
	const text = "The log can't be written.\nConversations are not kept."
	if d.Count(text) != 1 {
		t.Error("the warnings are not shown once")
	}
	d.Press("Dismiss")
	if strings.Contains(strings.Join(d.Texts(), "|"), "can't be written") {
		t.Error("the warnings stay")
	}
}

// An errText is an error of one sentence.
type errText string

func (e errText) Error() string { return string(e) }
