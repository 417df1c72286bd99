package ui_test

import (
	"context"
	"errors"
	"testing"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/oauth"
	"goated/internal/sandbox"
	"goated/internal/transfer"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/servers"
)

// puts waits until the first of some questions is visible. Each function in asks asks one
// question and blocks until it is answered.
func (d *desk) puts(asks ...func(context.Context)) {
	d.T.Helper()
	ctx := background(d.T)
	for i, ask := range asks {
		go ask(ctx)
		d.until("the question waits", func() bool { return d.dialogs.Waiting() == i+1 })
	}
	d.window.Show()
	d.T.Cleanup(d.window.Close)
	d.until("the question is shown", func() bool { return d.Layers() == 1 })
}

// filled shows a form for the arguments of a tool and presses its button.
func filled(t *testing.T, dark bool, q agent.Question) *desk {
	t.Helper()
	d := pictured(t, dark, ui.Options{})
	d.puts(func(ctx context.Context) { _, _ = d.dialogs.Ask(ctx, q) })
	d.later()
	d.Press("Submit")
	return d
}

func TestPictureForm(t *testing.T) {
	filled(t, false, agent.Question{
		Tool: "book_table", Server: "restaurants",
		Description: "Books a table and sends a confirmation by mail.",
		Schema: schema(t, `{"type":"object","required":["name","guests","seat"],"properties":{
			"name":{"type":"string","title":"Name","description":"Whose name the table is under."},
			"guests":{"type":"integer","title":"Guests","minimum":1,"maximum":12},
			"seat":{"type":"string","title":"Where to sit","enum":["Inside","Outside"]},
			"window":{"type":"boolean","title":"By the window"}}}`),
		Args: map[string]any{"guests": 40.0},
	}).looksLike("form", false)
}

// nestedForm is a schema with every kind of field, including a nested list and an optional
// object.
const nestedForm = `{"type":"object","required":["title","when","stops"],"properties":{
	"title":{"type":"string","title":"Title","maxLength":60},
	"when":{"type":"string","format":"date","title":"Departure"},
	"seats":{"type":"integer","title":"Seats","minimum":1,"maximum":9,"default":2},
	"budget":{"type":"integer","title":"Budget","minimum":0},
	"stops":{"type":"array","title":"Stops","minItems":1,"items":{"$ref":"#/$defs/Stop"}},
	"contact":{"$ref":"#/$defs/Contact"}},
	"$defs":{"Stop":{"type":"object","title":"Stop","required":["city"],"properties":{
		"city":{"type":"string","title":"City"},"nights":{"type":"integer","title":"Nights","minimum":1}}},
	"Contact":{"type":"object","title":"Contact","required":["mail"],"properties":{"mail":{"type":"string","format":"email","title":"Mail"}}}}}`

// Findings B22 and D7: a nested form shows its error messages beside the fields.
func TestPictureNestedForm(t *testing.T) {
	for _, dark := range []bool{false, true} {
		filled(t, dark, agent.Question{Tool: "plan_trip", Server: "travel", Schema: schema(t, nestedForm),
			Args: map[string]any{"title": "Lisbon", "when": "2026-03-31",
				"stops": []any{map[string]any{"city": "Porto", "nights": 2.0}, map[string]any{"city": ""}}},
		}).looksLike("form_nested", dark)
	}
}

// permitting returns a window that asks for permissions of the server weather.
func permitting(t *testing.T, dark bool, all ...sandbox.Permission) *desk {
	t.Helper()
	d := pictured(t, dark, ui.Options{})
	d.window.ShowServers(client.Snapshot{Servers: samplechat.Servers().Servers[:1]})
	var asks []func(context.Context)
	for _, p := range all {
		asks = append(asks, func(ctx context.Context) { d.window.Permit(ctx, "weather", "weather.py", p) })
	}
	d.puts(asks...)
	return d
}

// The window asks whether a server may do more than it may now.
func TestPicturePermit(t *testing.T) {
	network := sandbox.Permission{Kind: sandbox.ToNetwork}
	for _, dark := range []bool{false, true} {
		permitting(t, dark, network, network).looksLike("permit", dark)
		permitting(t, dark, sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}).looksLike("permit_host", dark)
	}
}

// A permission that lets a server change everything comes with a warning.
func TestPictureDanger(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	permitting(t, false, sandbox.Permission{Kind: sandbox.ToWrite, Path: "/home/ada"}).looksLike("danger", false)
}

// The sheet lists the servers of other apps.
func TestPictureImport(t *testing.T) {
	program := func(name, command string, env []launch.Variable, args ...string) transfer.Entry {
		return transfer.Entry{Name: name, Server: launch.Server{Kind: launch.Program, Name: name, Named: true, Command: command, Args: args, Env: env}}
	}
	found := []transfer.Found{
		{File: transfer.File{App: transfer.App{ID: "claude-desktop", Name: "Claude Desktop"}, Path: "/home/ada/.config/Claude/claude_desktop_config.json"}, Servers: []transfer.Entry{
			program("github", "docker", []launch.Variable{{Name: "GITHUB_PERSONAL_ACCESS_TOKEN", Value: "ghp_0123456789abcdefghij"}}, "run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"),
			program("postgres", "uvx", nil, "postgres-mcp", "--access-mode=restricted"),
			program("files", "npx", nil, "-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"),
			{Name: "broken", Err: errors.New("broken has neither a command nor a URL")},
		}},
		{File: transfer.File{App: transfer.App{ID: "vscode", Name: "VS Code"}, Path: "/home/ada/.config/Code/User/mcp.json"}, Servers: []transfer.Entry{
			{Name: "calendar", Server: launch.Server{Kind: launch.Remote, Name: "calendar", Named: true, Remote: launch.Endpoint{URL: "https://calendar.example.org/mcp", Headers: []launch.Variable{{Name: "X-Api-Key", Ask: true}}}}},
		}},
	}
	saved := []config.Launch{{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"}}}
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.Shell().Sheets.Open(servers.NewImportSheet(servers.NewImportList(d.window.Shell().Clock, found, config.Settings{Launch: saved}, nil), func() {}, func() {}))
		d.looksLike("import", dark)
	}
}

// The window asks the user to sign in to a server with a URL.
func TestPictureSignIn(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.puts(func(ctx context.Context) {
			_ = d.dialogs.SignIn(ctx, oauth.Request{Server: "calendar", Host: "auth.example.org", Scopes: []string{"events.read", "events.write"},
				URL: "https://auth.example.org/authorize?client_id=b81c&code_challenge=6Wt7&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A40123%2Fcallback&resource=https%3A%2F%2Fcalendar.example.org%2Fmcp&response_type=code&state=K3"})
		})
		d.looksLike("signin", dark)
	}
}
