package store_test

import (
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
)

// A search finds what the user and the model wrote in a turn with calls, but neither thoughts nor
// results. The preview is the last answer, after the last call.
func TestIndexHasWhatWasSaid(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r, err := s.Begin(t.Context(), c.ID, "", say("Where is the lighthouse?"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []agent.Event{
		agent.ThoughtDelta{Text: "perhaps pondering"},
		agent.TextDelta{Text: "First I look"}, agent.TextDelta{Text: " at harbours."},
		agent.ToolCalled{ID: "call-1", Name: "map__find", Args: map[string]any{"query": "argumentative"}},
		agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "call-1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "resulting"}}}},
		agent.TextDelta{Text: "It stands in Genoa."},
		agent.TurnEnded{Reason: agent.Done, Steps: 2},
	} {
		if err := r.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]int{"lighthouse": 2 /* also in the title */, "look at harbours": 1, "stands in": 1, "harbours.It": 0, "pondering": 0, "argumentative": 0, "resulting": 0} {
		if found, err := s.Search(t.Context(), words, 5); err != nil || len(found) != want {
			t.Errorf("%q is found %d times, %v", words, len(found), err)
		}
	}
	list, err := s.Conversations(t.Context())
	if err != nil || len(list) != 1 || list[0].Preview != "It stands in Genoa." {
		t.Errorf("%+v, %v", list, err)
	}
}
