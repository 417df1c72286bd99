package ui_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/config"
	"goated/internal/models"
	"goated/ui"
)

// The sheet cleared text that the user typed while goated saved the key of a service.
func TestFieldsKeepWhatIsTypedWhileAServiceIsAdded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"data":[{"id":"a"}]}`) }))
	defer server.Close()
	saved := make(chan struct{})
	ring := &config.Keyring{
		Save:  func(string, string) error { <-saved; return nil },
		Load:  func(string) (string, error) { return "", nil },
		Clear: func(string) error { return nil },
	}
	d := shown(t, ui.Options{Keyring: ring, Settings: config.Settings{Welcomed: true},
		Agent: ui.AgentOptions{Model: "No model", Models: &models.Source{Secret: ring.Load}, NewSession: func() *agent.Session { return &agent.Session{Tools: new(turntest.Toolbox)} }}})
	const name, address, key = "Name, such as OpenRouter", "Address, such as https://openrouter.ai/api/v1", "Key, if it needs one"
	d.run("Settings")
	d.Enter(name, "Router")
	d.Enter(address, server.URL)
	d.Enter(key, "sk-1")
	d.Press("Add the service")
	d.Enter(name, "Another")
	close(saved)
	d.sees("Router works. The menu of models lists its model.")
	if d.Field(name) != "Another" || d.Field(address)+d.Field(key) != "" {
		t.Errorf("the fields have %q, %q and %q", d.Field(name), d.Field(address), d.Field(key))
	}
}
