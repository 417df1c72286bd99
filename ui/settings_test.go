package ui_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/models"
	"goated/internal/waittest"
	"goated/registry"
	"goated/ui"
	"goated/ui/settings"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	d := shown(t, ui.Options{Save: k.save, Pages: ui.PageOptions{Folder: "/srv/trip"}})
	if !d.Reads("Welcome to goated") {
		t.Fatal("the welcome is not shown")
	}
	d.Press("Try")
	if d.draft() != "What files are in this folder?" || d.Layers() != 0 {
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
	d := shown(t, ui.Options{Agent: ui.AgentOptions{Keys: keys, Model: "offline", Remake: func(context.Context, config.Settings) (ui.Answering, error) {
		a := ui.Answering{NewSession: func() *agent.Session { made++; return &agent.Session{} }, Model: "offline"}
		if saved != "" {
			a.Model, a.KeyFrom = "gemini-a", "keyring"
		}
		return a, nil
	}}})
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
	d.Press("Get a key") // the address was not a link
	if page := waittest.Receive(t, "the page is opened", d.opened); page != "https://aistudio.google.com/apikey" {
		t.Errorf("it opens %s", page)
	}
	if saved != "" {
		t.Errorf("after removing %q is saved", saved)
	}
	d.closeSheets()
	if !d.Reads("offline") {
		t.Error("the header does not show the model that answers now")
	}
}

// granted returns a policy with tools that the user always allowed.
func granted(t *testing.T, tools ...string) *consent.Policy {
	p := consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"), time.Now)
	for _, name := range tools {
		e := registry.Entry{Name: "files__" + name, Server: "files", Tool: &mcp.Tool{Name: name}, Origin: registry.Origin{Start: "/home/ada/files.py"}}
		if err := p.Grant(e); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestGrantIsRevoked(t *testing.T) {
	p := granted(t, "write")
	d := newDesk(t, ui.Options{Policy: p})
	d.run("Granted approvals")
	if !d.Reads("write") || !d.Reads("files · /home/ada/files.py · since "+time.Now().Format("2 January 2006")) {
		t.Error("the settings do not say what is granted")
	}
	d.Press("Revoke")
	if len(p.Grants.List()) != 0 || d.Reads("write") {
		t.Error("the approval is still granted")
	}
}

func TestDataFolderOpensAsTheDesktopDoes(t *testing.T) {
	d := shown(t, ui.Options{Files: ui.Files{DataDir: "/home/ada/my data", LogFile: "/home/ada/my data/goated.log"}})
	d.openErr = errBoom
	d.run("Data folder and log")
	d.Press("Open folder")
	d.until("the window says that it did not open", func() bool { return d.Reads("Opening failed: The model can't be reached: connection refused.") })
	if got := waittest.Receive(t, "the folder is opened", d.opened); got != "file:///home/ada/my%20data" {
		t.Errorf("the desktop opens %s", got)
	}
}

// The user exports and imports conversations on the page where they look for their data (ux
// D17).
func TestDataPageExportsConversations(t *testing.T) {
	s, _ := archive(t)
	d := shown(t, ui.Options{History: s})
	d.run("Data folder and log")
	if !d.Reads("Import…") {
		t.Error("the page has no import")
	}
	d.Press("Export all…")
	d.until("it asks for a file", func() bool { return d.Says("goated conversations.json") })
	none := shown(t, ui.Options{})
	if none.run("Data folder and log"); none.Reads("Export all…") {
		t.Error("a window without a history offers an export")
	}
}

// The page says that the folder contains the conversations, because the user looks for them
// before copying or removing the folder.
func TestDataFolderSaysThatConversationsAreThere(t *testing.T) {
	d := shown(t, ui.Options{})
	if d.run("Data folder and log"); !d.Says("goated's data: conversations, memory, notes and the log.") {
		t.Error("the page does not name the conversations")
	}
}

// A toast does not repeat a warning, and a warning stays until the user dismisses it.
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

// An errText is an error with a fixed text.
type errText string

func (e errText) Error() string { return string(e) }

// Changing a switch of a bundled server that is on reconnects the server with the new switch.
// The settings save the switch.
func TestBundledServerHasSwitches(t *testing.T) {
	extra := config.Bundled{Name: "desktop", Summary: "Operates applications.", Switches: []config.Switch{{Name: "scripting", Summary: "It may run scripts."}}}
	var with [][]string
	var mu sync.Mutex
	var saved config.Settings
	d := shown(t, ui.Options{
		Bundled: []config.Bundled{extra},
		SwitchBundled: func(b config.Bundled, on bool) {
			if on {
				with = append(with, b.On)
			}
		},
		Save: func(s config.Settings) error {
			mu.Lock()
			defer mu.Unlock()
			saved = s
			return nil
		},
	})
	d.run("Servers started with goated")
	d.Press("It may run scripts.") // the server is off, so nothing connects
	d.Press("desktop")
	d.Press("It may run scripts.")
	if len(with) != 2 || len(with[0]) != 1 || with[0][0] != "scripting" || len(with[1]) != 0 {
		t.Errorf("connected with %q", with)
	}
	d.until("the settings are saved", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return saved.StartsBundled(extra) && len(saved.BundledWithSwitches(extra).On) == 0
	})
}

// One click connects a bundled server that is off, and the settings save that. The switch has the
// server's name and title: the page of tools shows both, and the title alone names no server.
func TestBundledServerIsSwitchedOn(t *testing.T) {
	extra := config.Bundled{Name: "llmem", Title: "Code map", Summary: "A map of the code."}
	var switched []bool
	var mu sync.Mutex
	var saved config.Settings
	d := shown(t, ui.Options{
		Bundled: []config.Bundled{extra},
		SwitchBundled: func(b config.Bundled, on bool) {
			if b.Name == extra.Name {
				switched = append(switched, on)
			}
		},
		Save: func(s config.Settings) error {
			mu.Lock()
			defer mu.Unlock()
			saved = s
			return nil
		},
	})
	d.run("Servers started with goated")
	for i, want := range []bool{true, false} {
		d.Press("llmem · Code map")
		if len(switched) != i+1 || switched[i] != want {
			t.Errorf("after click %d: switched %v", i+1, switched)
		}
		d.until("the settings are saved", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return saved.StartsBundled(extra) == want
		})
	}
}

// A key that the keyring rejects stays in the field, and the window offers to use it until
// goated quits. It used to be lost.
func TestAKeyThatCannotBeSavedIsNotLost(t *testing.T) {
	const key = "AIza-not-a-real-key"
	var held models.HeldKey
	broken := true
	keys := &settings.Keys{
		Save: func(context.Context, string) error {
			if broken {
				return errors.New("the keyring does not answer")
			}
			return nil
		},
		Hold:   held.Hold,
		Clear:  func(context.Context) error { return held.Forget(func() error { return errors.New("no keyring") }) },
		Models: func(context.Context) ([]string, error) { return []string{"gemini-a"}, nil },
	}
	d := shown(t, ui.Options{Agent: ui.AgentOptions{Keys: keys, Model: "offline", Remake: func(ctx context.Context, _ config.Settings) (ui.Answering, error) {
		_, from := held.Or(ctx, func(context.Context) (string, string) { return "", "" })
		return ui.Answering{NewSession: func() *agent.Session { return &agent.Session{} }, KeyFrom: from}, nil
	}}})
	const field = "Paste your key"
	d.run("Gemini key…")
	if d.Reads("Use it until goated quits") {
		t.Error("it is offered before saving fails")
	}
	d.Enter(field, key)
	d.Press("Save")
	d.until("it says why", func() bool { return d.Says("The keyring does not answer.") })
	if got := d.Field(field); got != strings.Repeat("•", len(key)) {
		t.Fatalf("the field has %q", got)
	}
	d.Press("Use it until goated quits")
	d.sees("A key is set (from memory)")
	if d.HasField(field) || d.Says(key) {
		t.Error("the key is still in the field, or shown")
	}
	d.Press("Replace")
	d.Enter(field, key+"2")
	d.Press("Cancel")
	d.Press("Replace")
	if got := d.Field(field); got != "" {
		t.Errorf("after Cancel the field has %q", got)
	}
	d.Enter(field, key+"3")
	broken = false
	d.Press("Save")
	d.sees("No key is set") // nothing is in memory, and this keyring returns no key
	d.Enter(field, key)
	broken = true
	d.Press("Save")
	d.sees("Use it until goated quits")
	d.Press("Use it until goated quits")
	d.sees("A key is set (from memory)")
	d.Press("Remove")
	d.sees("No key is set")
}

// A user who chooses to add a key can type it immediately. The focus used to be on the name of
// the page, so the key was lost.
func TestTheFieldForAKeyHasTheFocus(t *testing.T) {
	keys := &settings.Keys{Save: func(context.Context, string) error { return nil }}
	d := shown(t, ui.Options{Agent: ui.AgentOptions{Keys: keys, Model: "offline", Notice: "No model."}, Save: new(savedSettings).save})
	field := func(from string) {
		t.Helper()
		if !d.FieldFocused("Paste your key") {
			t.Errorf("%s: the field does not have the focus", from)
		}
		d.closeSheets()
	}
	d.Press("Add a key") // on the welcome
	field("welcome")
	d.Press("Add a key") // in the banner
	field("banner")
	d.run("Gemini key…")
	field("palette")
	keys.From = "keyring"
	d.run("Gemini key…")
	if d.HasField("Paste your key") {
		t.Error("a field is shown although a key is set")
	}
	d.Press("Replace")
	field("Replace")
}

// While a keyring waited to be unlocked, each click on Save sent it the key again. Cancel
// closed the field of a key that was then replaced.
func TestAKeyOnItsWayIsSavedOnce(t *testing.T) {
	var saves atomic.Int32
	unlock := make(chan struct{})
	keys := &settings.Keys{From: "keyring", Save: func(ctx context.Context, _ string) error {
		saves.Add(1)
		select {
		case <-unlock:
		case <-ctx.Done():
		}
		return errors.New("the keyring stays locked")
	}}
	d := shown(t, ui.Options{Agent: ui.AgentOptions{Keys: keys, Model: "offline"}})
	const field, key = "Paste your key", "AIza-not-a-real-key"
	d.run("Gemini key…")
	d.Press("Replace")
	d.Type(key)
	d.Key(fyne.KeyReturn)
	d.sees("Saving the key…")
	d.Key(fyne.KeyReturn)
	for _, button := range []string{"Save", "Cancel"} {
		if d.Pressable(button) {
			d.Press(button)
			t.Errorf("%s can be pressed while the key is saved", button)
		}
	}
	if !d.HasField(field) {
		t.Fatal("the field is closed")
	}
	close(unlock)
	d.until("it says why", func() bool { return d.Says("The keyring stays locked.") })
	if got := saves.Load(); got != 1 {
		t.Errorf("the key was saved %d times", got)
	}
	if !d.FieldFocused(field) || d.Field(field) != strings.Repeat("•", len(key)) || !d.Pressable("Save") {
		t.Errorf("the field has %q, and can't be used", d.Field(field))
	}
}

// A change from elsewhere redraws the open page. It used to lose what the user had typed and
// not applied: the name of a model, and a limit that is too large.
func TestARedrawKeepsWhatIsTypedIntoTheSettings(t *testing.T) {
	for field, page := range map[string]string{agent.DefaultModel: "Model and key", "60": "Limits"} {
		d := shown(t, ui.Options{})
		d.run("Settings")
		d.Press(page)
		d.FocusField(field)
		d.Type("99991")
		d.Key(fyne.KeyLeft)
		d.Ctrl(fyne.KeyEqual)
		if !d.FieldFocused(field) {
			t.Fatalf("the field %s has lost the focus", field)
		}
		d.Type("8")
		if d.Press("Appearance"); !d.Reads("110 %") {
			t.Fatal("nothing was redrawn")
		}
		d.Press(page)
		if got := d.Field(field); got != "999981" {
			t.Errorf("the field %s has %q", field, got)
		}
	}
}
