package ui_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/config"
	"goated/internal/models"
	"goated/ui"
	"goated/ui/settings"
)

// The user chooses another model with the keyboard. The next turn uses it, and the conversation
// keeps it. Letters filter the menu, and Escape closes it.
func TestModelMenuChangesTheModelOfAConversation(t *testing.T) {
	d, service := talking(t, filepath.Join(t.TempDir(), "history.db"), "quick:7b")
	d.send("hello")
	d.sees("Answer of quick:7b")
	d.Ctrl(fyne.KeyM)
	for _, text := range []string{"Context", "In / out per 1M", "Gemini 3.1 Pro Preview", "$2.00 / $12.00", "No model", "Custom instructions…", "Used from your next message on."} {
		if !d.Reads(text) {
			t.Errorf("the menu does not show %q: %q", text, d.Texts())
		}
	}
	d.sees("House")
	if !d.Reads("$1.00 / $2.00") || !d.Reads("40k") {
		t.Errorf("the service's price and context are missing: %q", d.Texts())
	}
	d.Type("pro")
	if d.Reads("Gemini 3.5 Flash") || !d.Reads("Gemini 3.1 Pro Preview") || d.Reads("House") {
		t.Errorf("letters do not filter: %q", d.Texts())
	}
	for range 3 {
		d.Key(fyne.KeyBackspace)
	}
	d.Key(fyne.KeyEscape)
	if d.Reads("In / out per 1M") {
		t.Error("Escape does not close the menu")
	}
	d.Ctrl(fyne.KeyM)
	d.sees("House")
	d.Type("busy")
	d.Key(fyne.KeyReturn)
	d.until("the header names the model", func() bool { return d.Reads("Busy") && !d.Reads("In / out per 1M") })
	d.write("again")
	d.Key(fyne.KeyReturn)
	d.until("the other model is asked", func() bool { return strings.HasPrefix(service.last(), "busy|") })

	// The window counts down the rate limit. One press continues with the other model.
	d.sees("Busy takes no more requests this minute.")
	d.until("the wait counts down", func() bool { return d.Says("Retrying in 3") })
	d.Press("Use another model")
	d.sees("House")
	d.Type("quick")
	d.Key(fyne.KeyReturn)
	d.until("the other model goes on", func() bool { return d.Count("Answer of quick:7b") > 1 && !d.busy() })
	if d.Says("Retrying") || d.Says("You stopped") {
		t.Errorf("the wait is still shown: %q", d.Texts())
	}
	d.newChat()
	if d.Reads("Busy") {
		t.Error("a new conversation uses the model of another one")
	}
}

// Instructions for all conversations and for one conversation reach the model and survive a
// restart.
func TestInstructionsAreSentAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	d, service := talking(t, path, "quick:7b")
	d.send("hello")
	d.sees("Answer of quick:7b")
	d.run("Custom instructions…")
	d.Enter("Such as: Answer in short sentences. I work in UTC+1.", "Be brief.")
	d.Enter("Such as: This is about the trip to Vienna. Prices in euros.", "Speak of Vienna.")
	d.Press("Save")
	d.send("again")
	d.until("both reach the model", func() bool {
		return strings.Contains(service.last(), "Be brief.") && strings.Contains(service.last(), "Speak of Vienna.")
	})
	d.idle()
	d.Ctrl(fyne.KeyM)
	if !d.Reads("On in this conversation") {
		t.Error("the menu does not say that there are instructions")
	}
	d.Key(fyne.KeyEscape)
	d.window.Close()

	again, _ := talking(t, path, "quick:7b") // the conversation keeps its service
	again.sees("Answer of quick:7b")
	again.until("the conversation is loaded", func() bool { return len(again.transcript()) > 2 })
	again.settled()
	again.send("third")
	again.until("the conversation keeps its own alone: the settings of another window do not apply", func() bool {
		return strings.Contains(service.last(), "Speak of Vienna.") && !strings.Contains(service.last(), "Be brief.")
	})
}

// The gauge opens the meter. Compacting shows a summary that the user can read and undo.
func TestMeterCompactsAndUndoes(t *testing.T) {
	d, service := talking(t, filepath.Join(t.TempDir(), "history.db"), "quick:7b")
	for i := range 3 {
		d.says(fmt.Sprintf("question %d %s", i, strings.Repeat("and more words ", 12)))
		d.until(fmt.Sprintf("question %d is answered", i), func() bool { return service.count() == i+1 && !d.busy() })
	}
	d.until("the gauge shows the share", func() bool { return d.Reads("1%") })
	d.run("What fills the context")
	for _, text := range []string{"Context", "Instructions", "Tools", "Conversation", "6 messages", "Tool results", "Free", "On disk", "Cached", "Compact now"} {
		if !d.Reads(text) {
			t.Errorf("the meter does not show %q: %q", text, d.Texts())
		}
	}
	d.Press("Compact now")
	d.until("the summary is there", func() bool { return d.Says("instead of the 4 messages before") && d.Reads("Undo") })
	if d.Reads("The gist of it.") {
		t.Error("the summary is open at first")
	}
	d.idle()
	d.Press("Read")
	d.sees("The gist of it.")
	d.Press("Undo")
	d.until("the summary is undone", func() bool { return d.Says("the earlier messages again") && !d.Reads("Undo") })
	if !d.Says("question 0") {
		t.Error("a message is lost")
	}
}

// "Manage" beside the tools in the meter opens their switches.
func TestMeterLeadsToTheTools(t *testing.T) {
	d, _ := talking(t, filepath.Join(t.TempDir(), "history.db"), "quick:7b")
	d.run("What fills the context")
	d.Press("Manage")
	d.sees("0 of 0 servers on · 0 tools · 0 tokens in every turn")
	if d.Reads("Compact now") {
		t.Error("the meter stays open")
	}
}

var _ agent.Model = (*models.Model)(nil)

// In the settings the user adds a service with its key. The key is stored in the keyring and
// shown nowhere. The page reports a wrong address and a wrong key. Removing the service deletes
// the key.
func TestServiceIsAddedTestedAndRemoved(t *testing.T) {
	const key = "sk-not-a-real-key"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"a"},{"id":"b"}]}`)
	}))
	defer server.Close()
	var mu sync.Mutex
	kept := map[string]string{}
	ring := &config.Keyring{
		Save:  func(ref, value string) error { mu.Lock(); defer mu.Unlock(); kept[ref] = value; return nil },
		Load:  func(ref string) (string, error) { mu.Lock(); defer mu.Unlock(); return kept[ref], nil },
		Clear: func(ref string) error { mu.Lock(); defer mu.Unlock(); delete(kept, ref); return nil },
	}
	source := &models.Source{Secret: ring.Load}
	var saved config.Settings
	d := shown(t, ui.Options{Keyring: ring, Settings: config.Settings{Welcomed: true}, Save: func(s config.Settings) error { mu.Lock(); defer mu.Unlock(); saved = s; return nil },
		Agent: ui.AgentOptions{Model: "No model", Models: source, NewSession: func() *agent.Session { return &agent.Session{Tools: new(turntest.Toolbox)} }}})
	const address = "Address, such as https://openrouter.ai/api/v1"
	d.run("Settings")
	d.Enter(address, "localhost:1")
	d.Press("Add the service")
	d.sees(`"localhost:1" is not an address. Write one such as https://openrouter.ai/api/v1.`)
	d.Enter(address, server.URL+"/v1")
	d.Enter("Name, such as OpenRouter", "Router")
	d.Enter("Key, if it needs one", "sk-wrong")
	d.Press("Add the service")
	d.until("the wrong key is said", func() bool { return d.Says("refused your API key") })
	d.Enter(address, server.URL+"/v1/")
	d.Enter("Name, such as OpenRouter", "Router")
	d.Enter("Key, if it needs one", key)
	if d.Says(key) {
		t.Error("the key is shown while it is typed")
	}
	d.Press("Add the service")
	d.sees("Router works. The menu of models lists its 2 models.")
	if d.Says(key) || !d.Says("key in the keyring") || d.Count("Router") != 1 {
		t.Errorf("the screen shows %q", d.Texts())
	}
	d.until("the settings are saved, without the key", func() bool {
		mu.Lock()
		defer mu.Unlock()
		body, _ := json.Marshal(saved)
		return len(saved.Providers) == 1 && !strings.Contains(string(body), key) && kept[saved.Providers[0].Key] == key
	})
	d.Press("Remove")
	d.until("the key is forgotten", func() bool { mu.Lock(); defer mu.Unlock(); return len(kept) == 0 && len(saved.Providers) == 0 })
}

// A service that could not be added keeps its fields. A mistake in the address used to clear
// all of them, and so did a keyring that did not respond.
func TestAServiceThatIsNotAddedKeepsItsFields(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"data":[{"id":"a"}]}`) }))
	defer server.Close()
	var works atomic.Bool
	ring := &config.Keyring{
		Save: func(string, string) error {
			if works.Load() {
				return nil
			}
			return errors.New("the keyring does not answer")
		},
		Load:  func(string) (string, error) { return "", nil },
		Clear: func(string) error { return nil },
	}
	d := shown(t, ui.Options{Keyring: ring, Settings: config.Settings{Welcomed: true},
		Agent: ui.AgentOptions{Model: "No model", Models: &models.Source{Secret: ring.Load}, NewSession: func() *agent.Session { return &agent.Session{Tools: new(turntest.Toolbox)} }}})
	const name, address, key = "Name, such as OpenRouter", "Address, such as https://openrouter.ai/api/v1", "Key, if it needs one"
	d.run("Settings")
	d.Enter(name, "Router")
	d.Enter(key, "sk-1")
	d.Enter(address, "localhost:1")
	add := func() []string {
		d.Press("Add the service")
		return []string{d.Field(name), d.Field(address), d.Field(key)}
	}
	if got, want := add(), []string{"Router", "localhost:1", "••••"}; !slices.Equal(got, want) {
		t.Fatalf("the fields have %q", got)
	}
	d.Enter(address, server.URL)
	add()
	d.until("it says why", func() bool { return d.Says("The keyring does not answer.") })
	works.Store(true)
	add()
	d.sees("Router works. The menu of models lists its model.")
	if got := d.Field(name) + d.Field(address) + d.Field(key); got != "" {
		t.Errorf("after it was added, the fields have %q", got)
	}
}

// After a refused key, the window offers the key in the settings, and another model, which
// continues immediately. It used to offer only another try with the same key.
func TestRefusedKeyOffersTheKeyAndAnotherModel(t *testing.T) {
	d, _ := talking(t, filepath.Join(t.TempDir(), "history.db"), "locked")
	d.send("hello")
	d.until("the failure is shown", func() bool { return d.Says("refused your API key (Unauthorized).") })
	d.Press("Check the key")
	d.sees("Gemini key")
	d.closeSheets()
	d.Press("Use another model")
	d.sees("House")
	d.Type("quick")
	d.Key(fyne.KeyReturn)
	d.sees("Answer of quick:7b")
	d.until("the failure has gone", func() bool { return !d.busy() && !d.Says("refused your API key") })
}

// The list of models may arrive and redraw the page while the user types. The focus used to be
// lost, and so was the rest of the address.
func TestTheSettingsKeepTheFocusWhileTheyAreRedrawn(t *testing.T) {
	const address = "Address, such as https://openrouter.ai/api/v1"
	arrive := make(chan struct{})
	keys := &settings.Keys{From: "keyring", Models: func(ctx context.Context) ([]string, error) {
		select {
		case <-arrive:
		case <-ctx.Done():
		}
		return []string{"gemini-a"}, ctx.Err()
	}}
	d := shown(t, ui.Options{Settings: config.Settings{Welcomed: true}, Save: new(savedSettings).save,
		Agent: ui.AgentOptions{Keys: keys, Model: "No model", Models: &models.Source{}, NewSession: func() *agent.Session { return &agent.Session{Tools: new(turntest.Toolbox)} }}})
	d.run("Settings")
	d.sees("Loading the list of models…")
	d.FocusField(address)
	d.Type("http://lst")
	d.Key(fyne.KeyLeft)
	d.Key(fyne.KeyLeft)
	close(arrive)
	d.sees("gemini-a")
	if !d.FieldFocused(address) {
		t.Fatal("the field has lost the focus")
	}
	d.Type("o")
	if got := d.Field(address); got != "http://lost" {
		t.Errorf("the address is %q", got)
	}
}
