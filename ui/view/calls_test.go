package view

import (
	"reflect"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
)

// step adds calls that the model requests together. The calls in running have no result yet.
func step(c Chat, ids []string, running ...string) Chat {
	for _, id := range ids {
		c = c.Apply(agent.ToolCalled{ID: id, Tool: id[:1]})
	}
	open := make(map[string]bool)
	for _, id := range running {
		open[id] = true
	}
	for _, id := range ids {
		c = c.Apply(agent.ToolDecided{ID: id, Decision: agent.AllowOnce})
		if !open[id] {
			c = c.Apply(returned(id, &mcp.TextContent{Text: "ok"}))
		}
	}
	return c
}

func returned(id string, content mcp.Content) agent.Event {
	return agent.ToolReturned{ID: id, Duration: time.Second, Result: &mcp.CallToolResult{Content: []mcp.Content{content}}}
}

// A long turn was a wall of cards. Calls that succeeded form a run. Calls of a running step
// remain separate, and so do calls that failed or show a picture.
func TestCallRuns(t *testing.T) {
	say := Chat{}.Say("go")
	two := step(say, []string{"a1", "b1"})
	asked := two.Apply(agent.ToolCalled{ID: "c1", Tool: "c"}).Apply(agent.ToolCalled{ID: "c2", Tool: "c"}).
		Apply(agent.ToolDecided{ID: "c1", Decision: agent.AllowOnce}).Apply(returned("c1", &mcp.TextContent{Text: "ok"}))
	failed := two.Apply(agent.ToolCalled{ID: "f", Tool: "f"}).Apply(agent.ToolReturned{ID: "f", Error: "no"})
	pictured := two.Apply(agent.ToolCalled{ID: "p", Tool: "p"}).Apply(agent.ToolDecided{ID: "p", Decision: agent.AllowOnce}).
		Apply(returned("p", &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}))
	for _, c := range []struct {
		name string
		chat Chat
		want []CallRun
	}{
		{"one call", step(say, []string{"a1"}), nil},
		{"two calls of a step", two, []CallRun{{1, 3}}},
		{"one of them runs", step(say, []string{"a1", "b1"}, "b1"), nil},
		{"the first of them runs", step(say, []string{"a1", "b1", "c1"}, "a1"), nil},
		{"a call in each of two steps", step(step(say, []string{"a1"}), []string{"b1"}), []CallRun{{1, 3}}},
		{"the second step runs", step(two, []string{"c1", "c2"}, "c2"), []CallRun{{1, 3}}},
		{"the user is asked about the second step", asked.Asking(1, "c2"), []CallRun{{1, 3}}},
		{"a server asks in the second step", step(two, []string{"c1", "c2"}, "c2").AskingFor(1, ""), []CallRun{{1, 3}}},
		{"a thought between them", step(step(say, []string{"a1"}).Apply(agent.ThoughtDelta{Text: "hm"}), []string{"b1"}), []CallRun{{1, 4}}},
		{"a thought after them", two.Apply(agent.ThoughtDelta{Text: "hm"}), []CallRun{{1, 3}}},
		{"text between them", step(step(say, []string{"a1"}).Apply(agent.TextDelta{Text: "So."}), []string{"b1"}), nil},
		{"a failed one between them", step(failed, []string{"g1", "g2"}), []CallRun{{1, 3}, {4, 6}}},
		{"a failed one and then a single one", step(failed, []string{"g1"}), []CallRun{{1, 3}}},
		{"a picture", step(pictured, []string{"g1", "g2"}), []CallRun{{1, 3}, {4, 6}}},
	} {
		if got := CallRuns(c.chat.Items(), 0); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: the runs are %v, want %v", c.name, got, c.want)
		}
	}
	list := step(failed, []string{"g1", "g2"}).Items()
	if got := CallsBegin(list, 5); got != 1 {
		t.Errorf("the calls before item 5 begin at %d", got)
	}
	if got := CallsBegin(list[1:], 2); got != 0 {
		t.Errorf("the calls of a list of calls begin at %d", got)
	}
}

// The line counts the calls of each tool, and shows how long the user waited for them.
func TestCountCalls(t *testing.T) {
	c := step(step(Chat{}.Say("go"), []string{"a1", "b1", "a2"}), []string{"a3"})
	got := CountCalls(c.Items())
	if want := (CallCount{Calls: 4, Tools: "a ×3, b", Took: 2 * time.Second}); got != want || got.String() != "4 calls" {
		t.Errorf("the line says %v of %+v, want %+v", got, got, want)
	}
}
