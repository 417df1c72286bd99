package ui

import (
	"testing"

	"goated/agent"
	"goated/internal/wording"
)

// The page of a tool says what the model gets in other words, and why it gets nothing.
func TestToolPageTellsWhatTheModelGets(t *testing.T) {
	for _, schema := range []any{
		map[string]any{"type": "object", "properties": map[string]any{"depth": map[string]any{"type": "integer", "multipleOf": 2}}},
		false,
	} {
		d := newDesk(t, Options{})
		s := toolServers()
		e := s.Servers[0].Tools[0]
		e.Tool.InputSchema = schema
		d.see(s)
		d.servers.OpenServer("filesystem", e.Tool.Name)
		if notes := wording.Declared(agent.Declare(e)); len(notes) != 1 || !d.reads(notes[0]) {
			t.Errorf("the page does not say %q", notes)
		}
	}
}
