package ui

import (
	"errors"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/oauth"
	"goated/internal/transfer"
	"goated/ui/servers"
)

// The servers of other apps, and the question to sign in.
func TestPictureImport(t *testing.T) {
	program := func(name, command string, env []launch.Variable, args ...string) transfer.Entry {
		return transfer.Entry{Name: name, Server: launch.Server{Kind: launch.Program, Name: name, Named: true, Command: command, Args: args, Env: env}}
	}
	found := []transfer.Found{
		{File: transfer.File{App: transfer.App{ID: "claude-desktop", Name: "Claude Desktop"}, Path: "/home/ada/.config/Claude/claude_desktop_config.json"}, Servers: []transfer.Entry{
			program("github", "docker", []launch.Variable{{Name: "GITHUB_PERSONAL_ACCESS_TOKEN", Value: "ghp_0123456789abcdefghij"}}, "run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"),
			program("postgres", "uvx", nil, "postgres-mcp", "--access-mode=restricted"),
			program("files", "npx", nil, "-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"),
			{Name: "broken", Err: errors.New("the server \"broken\" has neither a command nor a URL")},
		}},
		{File: transfer.File{App: transfer.App{ID: "vscode", Name: "VS Code"}, Path: "/home/ada/.config/Code/User/mcp.json"}, Servers: []transfer.Entry{
			{Name: "calendar", Server: launch.Server{Kind: launch.Remote, Name: "calendar", Named: true, Remote: launch.Endpoint{URL: "https://calendar.example.org/mcp", Headers: []launch.Variable{{Name: "X-Api-Key", Ask: true}}}}},
		}},
	}
	saved := []config.Launch{{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"}}}
	for _, dark := range []bool{false, true} {
		matchGolden(t, "import", dark, func(d *desk) {
			d.shell.Sheets.Open(servers.NewImportSheet(servers.NewImportList(found, saved), func() {}, func([]config.Launch) {}))
		})
		matchGolden(t, "signin", dark, func(d *desk) {
			d.shell.Sheets.Open(servers.NewSignInPrompt(oauth.Request{Server: "calendar", Host: "auth.example.org", Scopes: []string{"events.read", "events.write"},
				URL: "https://auth.example.org/authorize?client_id=b81c&code_challenge=6Wt7&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A40123%2Fcallback&resource=https%3A%2F%2Fcalendar.example.org%2Fmcp&response_type=code&state=K3"}, 0, func(string) {}, func(string) {}, func(any) {}))
		})
	}
}
