package ui_test

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/config"
	"goated/internal/oauth"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// manyServers returns servers in every state, with tools of every effect, and their settings.
func manyServers(now time.Time) (client.Snapshot, config.Settings) {
	yes, no := true, false
	tool := func(server, name, title string, a mcp.ToolAnnotations) registry.Entry {
		return registry.Entry{Name: registry.Qualify(server, name), Server: server, Tool: &mcp.Tool{Name: name, Title: title, Annotations: &a,
			Description: "It works on one path, which has to be inside the folders that the server may use. The answer is text.",
			InputSchema: map[string]any{"type": "object", "required": []any{"path"}, "properties": map[string]any{"path": map[string]any{"type": "string", "description": "absolute"}}}}}
	}
	some := func(server string, n int) (list []registry.Entry) {
		for i := range n {
			list = append(list, tool(server, "tool_"+string(rune('a'+i%26))+string(rune('a'+i/26)), "", mcp.ToolAnnotations{ReadOnlyHint: true}))
		}
		return list
	}
	boxed := func(write ...string) client.Confinement {
		return client.Confinement{Sandbox: samplechat.Sandbox(), Policy: sandbox.Policy{Write: write, State: "/home/ada/.local/share/goated/servers/x/files"}}
	}
	files := append([]registry.Entry{
		tool("files", "read_text_file", "Read a file", mcp.ToolAnnotations{ReadOnlyHint: true}),
		tool("files", "move_file", "Move files", mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}),
		tool("files", "share_file", "Share a file", mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &yes}),
	}, some("files", 10)...)
	return client.Snapshot{Servers: []client.Server{
			{ID: "files", Name: "Files", Path: "npx", Args: []string{"@modelcontextprotocol/server-filesystem", "/srv/documents"}, Status: client.Connected, Tools: files,
				Details: client.Details{Command: "npx", Used: now.Add(-2 * time.Minute), Off: []registry.Entry{tool("files", "delete_file", "Delete a file", mcp.ToolAnnotations{DestructiveHint: &yes})}}, Confinement: boxed("/srv/documents")},
			{ID: "github", Name: "GitHub", Path: "docker", Args: []string{"ghcr.io/github/github-mcp-server"}, Status: client.Connected, Tools: some("github", 40), Details: client.Details{Command: "docker", Used: now.Add(-time.Hour)}, Confinement: boxed()},
			{ID: "calendar", Name: "Calendar", Path: "https://calendar.example.org/mcp", Status: client.Failed, Err: &client.Error{Kind: client.ErrReach, Err: oauth.ErrSignIn}, Details: client.Details{URL: "https://calendar.example.org/mcp", Used: now.AddDate(0, 0, -4)}},
			{ID: "browser", Name: "Browser", Path: "npx", Args: []string{"@playwright/mcp"}, Status: client.Connecting, Details: client.Details{Command: "npx", Used: now.AddDate(0, 0, -1), Last: []*mcp.Tool{{Name: "browser_click"}, {Name: "browser_type"}}}},
			{ID: "postgres", Name: "Postgres", Path: "uvx", Args: []string{"postgres-mcp"}, Status: client.Failed, Err: &client.Error{Kind: client.ErrExited}, Details: client.Details{Command: "uvx", Used: now.AddDate(0, 0, -18)}},
			{ID: "weather", Name: "Weather", Path: "/opt/mcp/weather.py", Status: client.Connected, Tools: some("weather", 1), Details: client.Details{Used: now.AddDate(0, 0, -1)}, Confinement: client.Confinement{NoSandbox: true}},
			{ID: "ghost", Name: "ghost", Bundled: true, Status: client.Connected, Tools: some("ghost", 4), Confinement: boxed()},
		}}, config.Settings{Launch: []config.Launch{
			{Name: "SQLite", Command: "uvx", Args: []string{"mcp-server-sqlite", "--db-path", "/srv/trip.db"}, Off: true},
		}}.WithTool(config.Launch{Command: "npx", Args: []string{"@modelcontextprotocol/server-filesystem", "/srv/documents"}}, "delete_file", false)
}

// In a narrow window the search field shows its whole hint on a separate line.
func TestSearchOfToolsFitsANarrowWindow(t *testing.T) {
	servers, s := manyServers(time.Date(2026, 11, 21, 10, 45, 0, 0, time.UTC))
	d := newDesk(t, ui.Options{Settings: s})
	d.Window.Resize(fyne.NewSize(520, 700))
	d.window.ShowServers(servers)
	d.Ctrl(fyne.KeyT)
	const hint = "Find a server or a tool"
	at, size, _ := d.PlaceOfField(hint)
	if need := fyne.MeasureText(hint, 14, fyne.TextStyle{}).Width + 16; size.Width < need {
		t.Errorf("the field is %v wide, and its hint needs %v", size.Width, need)
	}
	if all, _, seen := d.Place("All 8"); !seen || all.Y < at.Y+size.Height {
		t.Errorf("the filters are at %v, seen: %t: %q", all, seen, d.Texts())
	}
}

// The page lists all servers, and one of them shows its tools.
func TestPictureTools(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 45, 0, 0, time.UTC)
	servers, s := manyServers(now)
	bundled := []config.Bundled{{Name: "ghost", Title: "Desktop notes", Default: true}, {Name: "llmem", Title: "Code map"}, {Name: "pause", Title: "Questions"}}
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{Bundled: bundled, Settings: s})
		d.clock = now
		d.window.ShowServers(servers)
		d.Ctrl(fyne.KeyT)
		d.Key(fyne.KeyDown)
		d.Key(fyne.KeyDown)
		d.Key(fyne.KeyRight)
		d.looksLike("tools", dark)
	}
}
