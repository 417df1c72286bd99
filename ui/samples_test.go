package ui_test

import (
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/ui/view"
)

// fullSandbox is a server's sandbox that lacks nothing.
var fullSandbox = sandbox.Status{Landlock: 7, Files: true, Calls: true, Signals: true, Limits: true, Hosts: true}

// someServers are a server in each state.
func someServers() client.Snapshot {
	tools := func(n int) []registry.Entry { return make([]registry.Entry, n) }
	return client.Snapshot{Servers: []client.Server{
		{ID: "filesystem", Name: "filesystem", Path: "/home/ada/tools/filesystem.js", Args: []string{"/home/ada/My files"}, Status: client.Connected, Tools: tools(11), Confinement: client.Confinement{Sandbox: fullSandbox, Policy: sandbox.Policy{Read: []string{"/home/ada/tools"}, Write: []string{"/home/ada/My files"}, State: "/home/ada/.local/share/goated/servers/filesystem/files"}}},
		{ID: "metrics", Name: "metrics", Path: "/opt/mcp/metrics.py", Status: client.Connected, Tools: tools(1), Confinement: client.Confinement{NoSandbox: true}, Parked: []registry.Parked{
			{Server: "metrics", Reason: `The server offers 2 tools named "query", so none of them can be called.`},
		}},
		{ID: "calendar", Name: "calendar", Path: "/home/ada/tools/calendar.go", Status: client.Connecting},
		{ID: "weather", Name: "weather", Path: "/home/ada/tools/forecast.py", Status: client.Failed,
			Err:    &client.Error{Kind: client.ErrExited, Err: errors.New("exit status 1")},
			Stderr: []string{"Traceback (most recent call last):", "KeyError: 'WEATHER_KEY'"}},
	}}
}

// someChat is a conversation with calls in each state.
func someChat() view.Chat {
	c := view.Chat{}.Say("Can you check how we did against our Q3 targets, and tell me what to fix first?")
	for _, e := range []agent.Event{
		agent.ToolCalled{ID: "1", Server: "metrics", Tool: "query_range", Args: map[string]any{"expr": "p95(latency)", "range": "90d"}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "1", Duration: 1240 * time.Millisecond, Result: textResult(`{"p95_ms": 212, "target_ms": 180}`)},
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

// textResult is what a tool returns as text.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
