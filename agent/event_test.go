package agent

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestEventsReadBack(t *testing.T) {
	for _, e := range []Event{
		TextDelta{"a \"b\""},
		ThoughtDelta{"hm"},
		ToolCalled{ID: "call-1", Name: "s__t", Server: "s", Tool: "t", Args: map[string]any{"a": json.Number("1.0")}, At: time.Unix(9, 0).UTC()},
		ToolDecided{ID: "call-1", Decision: AllowAlways, Asked: true},
		ToolDecided{ID: "call-1", Decision: AllowOnce, At: time.Unix(10, 0).UTC()},
		ToolDecided{ID: "call-1", Decision: AllowOnce, Asked: true, Args: map[string]any{"id": json.Number("9007199254740993")}},
		ToolDecided{ID: "call-1", Decision: AllowOnce, Asked: true, Args: map[string]any{}}, // the user removed all arguments
		ToolProgressed{ID: "call-1", Progress: 0.5},
		ToolProgressed{ID: "call-1", Progress: 3, Total: 10, Message: "row 3\nrow 4"},
		ToolReturned{ID: "call-1", Error: "no", Duration: time.Second},
		ToolReturned{ID: "call-1", Result: &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "x"}, &mcp.ImageContent{Data: []byte{1, 2}, MIMEType: "image/png"},
		}, IsError: true}},
		ToolQuarantined{Name: "s__t", Server: "s", Tool: "t", Reason: "no"},
		RetryScheduled{Kind: RateLimited, Status: "RESOURCE_EXHAUSTED", Model: "m", Left: time.Second, Attempt: 2},
		AnswerDiscarded{Kind: CallBroken, Code: "MALFORMED_FUNCTION_CALL"},
		ContextTrimmed{Results: 1, Media: 2, Bytes: 3},
		MediaRemoved{Types: []string{"image/png"}, Reason: "no"},
		ServersStarting{Names: []string{"git"}, Left: time.Second},
		ServersMissing{Failed: []string{"git"}, Slow: []string{"sqlite"}},
		TurnEnded{Reason: StepLimit, Detail: "d", Steps: 3, Usage: Usage{Prompt: 1, Cached: 1, Answer: 2, Thought: 3, Cost: 0.25}},
	} {
		data, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(data)
		if err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s: %+v, want %+v (%v)", data, back, e, err)
		}
	}
	for _, bad := range []string{``, `{}`, `{"type":"x"}`, `{"type":"text","text":1}`} {
		if _, err := DecodeEvent([]byte(bad)); err == nil {
			t.Errorf("%q is no event", bad)
		}
	}
}
