package ui

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/sandbox"
	"goated/ui/servers"
	"goated/ui/transcript"
	"goated/ui/view"
)

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// passage is the one with that text.
func (d *desk) passage(text string) *transcript.TextView {
	d.t.Helper()
	p, ok := find(d, func(p *transcript.TextView) bool { return p.Block.Text() == text })
	if !ok {
		d.t.Fatalf("no passage says %q", text)
	}
	return p
}

// permits asks for a permission of the server "weather", and returns the channel of the
// answer.
func (d *desk) permits(t *testing.T, p sandbox.Permission) <-chan bool {
	t.Helper()
	got := make(chan bool, 1)
	go func() {
		got <- servers.AskPermission(t.Context(), d.options.Dialogs.Put, servers.PermissionRequest{ID: "weather", Name: "weather", Command: "weather.py", What: p}, d.servers.Warning(p)).Allow
	}()
	return got
}

var reachWeather = sandbox.Permission{Kind: sandbox.ToHost, Host: "api.open-meteo.com"}

// forecast is a conversation with a call of the server "weather".
func forecast() view.Chat {
	return view.Chat{}.Say("Will it rain?").Apply(agent.ToolCalled{ID: "call-1", Server: "weather", Tool: "forecast", Args: map[string]any{"city": "Lisbon"}}).
		Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce})
}
