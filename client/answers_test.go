//go:build unix

package client_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"goated/client"
)

// Only a bundled server whose configuration has Answers can send requests to goated. All other
// servers receive the error for an unknown method, and continue.
func TestOnlyABundledServerWithAnswersAsksGoated(t *testing.T) {
	for name, tt := range map[string]struct{ bundled, answers, done bool }{
		"the desktop server":          {true, true, true},
		"another bundled server":      {true, false, false},
		"a server of the user":        {false, true, false},
		"a server with nothing of it": {false, false, false},
	} {
		h := client.New(client.Options{})
		t.Cleanup(h.Close)
		var asked []string
		c := misbehave(t, "opens")
		if c.Bundled = tt.bundled; !tt.bundled {
			c.Command, c.Path = c.Path, ""
		}
		if tt.answers {
			c.Answers = func(_ context.Context, method string, params json.RawMessage) (any, error) {
				asked = append(asked, method+" "+string(params))
				return "opened", nil
			}
		}
		id, err := h.Connect(t.Context(), c)
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := h.Call(t.Context(), id+"__one", nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		text, _ := json.Marshal(r.Content)
		if done := strings.Contains(string(text), "opened"); done != tt.done || (len(asked) == 1) != tt.done {
			t.Errorf("%s: %s, asked %q", name, text, asked)
		}
		if !tt.done && !strings.Contains(string(text), "-32601") {
			t.Errorf("%s got no refusal: %s", name, text)
		}
	}
}
