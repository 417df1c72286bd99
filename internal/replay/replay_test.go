package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/registry"
)

// recorded returns a turn with two calls that ran, one that the user denied, and one of goated's
// own functions.
func recorded() []store.Turn {
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	return []store.Turn{{User: []*genai.Part{{Text: "go"}}, Events: []agent.Event{
		agent.ToolCalled{ID: "1", Name: "w__forecast", Server: "w", Tool: "forecast", Args: map[string]any{"city": "Genoa"}},
		agent.ToolCalled{ID: "2", Name: "w__count", Server: "w", Tool: "count", Args: map[string]any{"n": json.Number("9007199254740993")}},
		agent.ToolCalled{ID: "3", Name: "w__drop", Server: "w", Tool: "drop"},
		agent.ToolCalled{ID: "4", Name: "read_result", Server: "goated", Tool: "read_result"},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, Args: map[string]any{"city": "Rome"}},
		agent.ToolDecided{ID: "3", Decision: agent.Deny},
		agent.ToolReturned{ID: "1", Result: text("sunny\n20 degrees")},
		agent.ToolReturned{ID: "2", Result: &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"n":9007199254740993}`), Content: []mcp.Content{}}},
		agent.ToolReturned{ID: "3", Error: "denied", Refusal: agent.CallDenied},
		agent.ToolReturned{ID: "4", Result: text("page")},
	}}}
}

// tools is a [Tools] that maps the names of tools to functions.
type tools map[string]func(args map[string]any) (*mcp.CallToolResult, error)

func (t tools) FindByName(name string) []registry.Entry {
	if t[name] == nil {
		return nil
	}
	return []registry.Entry{{Name: name, Tool: &mcp.Tool{Name: name}}}
}

func (t tools) CallEntry(_ context.Context, e registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return t[e.Name](args)
}

func answers(text string, structured any) func(map[string]any) (*mcp.CallToolResult, error) {
	return func(map[string]any) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}, nil
	}
}

// The case of a conversation contains the calls that ran, with the arguments that they ran with.
// Writing and reading a file does not change it.
func TestCaseOfAConversation(t *testing.T) {
	c := Of("Weather", recorded())
	if len(c.Calls) != 2 || c.Calls[0].Tool != "forecast" || c.Calls[0].Args["city"] != "Rome" || c.Calls[1].Tool != "count" {
		t.Fatalf("%+v", c.Calls)
	}
	var file, again bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	back, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Write(&again); err != nil || again.String() != text || !strings.Contains(text, "9007199254740993") {
		t.Errorf("%v\n%s\n%s", err, text, again.String())
	}
	for _, wrong := range []string{`{}`, `{"format":"goated case","version":9}`, `{"format":"goated case","version":1,"calls":[{}]}`, `[`} {
		if _, err := Read(strings.NewReader(wrong)); err == nil {
			t.Errorf("%s is a case", wrong)
		}
	}
}

// Run reports each way in which a current server can differ, and nothing else.
func TestDifferences(t *testing.T) {
	good := tools{"forecast": answers("sunny\n20 degrees", nil), "count": answers("", json.RawMessage(`{ "n": 9007199254740993 }`))}
	for _, c := range []struct {
		name   string
		change func(tools)
		edit   func(*Case)
		want   string // description of the only difference; empty if there is none
	}{
		{"the same", func(tools) {}, nil, ""},
		{"another line", func(o tools) { o["forecast"] = answers("sunny\n21 degrees", nil) }, nil, `line 2 is "21 degrees", and was "20 degrees"`},
		{"a new line", func(o tools) { o["forecast"] = answers("sunny\n20 degrees\nwind", nil) }, nil, `line 3 is new: "wind"`},
		{"a missing line", func(o tools) { o["forecast"] = answers("sunny", nil) }, nil, `line 2 is gone: "20 degrees"`},
		{"another digit", func(o tools) { o["count"] = answers("", json.RawMessage(`{"n":9007199254740992}`)) }, nil, "the structured content is"},
		{"a missing tool", func(o tools) { delete(o, "count") }, nil, "no connected server has the tool"},
		{"an error", func(o tools) {
			o["forecast"] = func(map[string]any) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such city"}}}, errors.New("failed")
			}
		}, nil, "the tool now reports an error: no such city"},
		{"a failed call", func(o tools) {
			o["forecast"] = func(map[string]any) (*mcp.CallToolResult, error) { return nil, errors.New("server ended") }
		}, nil, "the call failed: server ended"},
		{"a part that is there", func(o tools) { o["forecast"] = answers("today: sunny", nil) }, func(c *Case) { c.Calls[0].Contains = []string{"sunny"} }, ""},
		{"a part that is not", func(o tools) { o["forecast"] = answers("rain", nil) }, func(c *Case) { c.Calls[0].Contains = []string{"sunny"} }, `no longer has "sunny"`},
	} {
		now := tools{"forecast": good["forecast"], "count": good["count"]}
		c.change(now)
		test := Of("", recorded())
		if c.edit != nil {
			c.edit(&test)
		}
		var found []string
		if err := test.Run(t.Context(), now, func(registry.Entry, map[string]any) bool { return true }, func(o Outcome) {
			if o.Differs != "" {
				found = append(found, o.Differs)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(found, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	skipped := 0
	if err := Of("", recorded()).Run(t.Context(), good, func(registry.Entry, map[string]any) bool { return false }, func(o Outcome) {
		if o.Skipped {
			skipped++
		}
	}); err != nil || skipped != 2 {
		t.Errorf("%d skipped, %v", skipped, err)
	}
}
