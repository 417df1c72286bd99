package samplechat

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/view"
)

// Chat returns a conversation with three calls: one complete, one failed, and one running.
func Chat() view.Chat {
	c := view.Chat{}.Say("Can you check how we did against our Q3 targets, and tell me what to fix first?")
	for _, e := range []agent.Event{
		agent.ToolCalled{ID: "1", Server: "metrics", Tool: "query_range", Args: map[string]any{"expr": "p95(latency)", "range": "90d"}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "1", Duration: 1240 * time.Millisecond, Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"p95_ms": 212, "target_ms": 180}`}}}},
		agent.ToolCalled{ID: "2", Server: "filesystem", Tool: "read_file", Args: map[string]any{"path": "reports/2026-Q3.md"}},
		agent.ToolDecided{ID: "2", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "2", Duration: 128 * time.Millisecond, Error: "there is no file reports/2026-Q3.md"},
		agent.TextDelta{Text: "Latency is the **only** target you missed: `212 ms` against 180 ms, and only in one region.\n\n1. Profile the slow endpoint with `pprof`\n2. Move the JSON decoder out of the hot path"},
		agent.ToolCalled{ID: "3", Server: "metrics", Tool: "fetch_traces", Args: map[string]any{"since": "7d", "limit": 20}},
		agent.ToolDecided{ID: "3", Decision: agent.AllowAlways},
	} {
		c = c.Apply(e)
	}
	return c
}
