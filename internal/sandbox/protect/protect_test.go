package protect

import "testing"

// The guard recognizes protected files at any depth and in any case, folders that lead to them, and
// files that the user allowed by name.
func TestGuard(t *testing.T) {
	g := &Guard{
		Folders: []string{"/home/ada/proj", "/home/ada/proj/named/.vscode", "/home/ada"},
		Named:   []string{"/home/ada/proj/.envrc", "/home/ada/.local/share/goated/servers/x/files"},
		Fixed:   Fixed("/home/ada", "/usr/bin:/home/ada/tools:relative"),
	}
	for path, want := range map[string]struct{ covers, protects, leads bool }{
		"/home/ada/proj":                                       {true, false, false},
		"/home/ada/proj/main.go":                               {true, false, false},
		"/home/ada/proj/.git":                                  {true, false, true},
		"/home/ada/proj/.git/index":                            {true, false, false},
		"/home/ada/proj/.git/refs/heads/config":                {true, false, false},
		"/home/ada/proj/.git/hooks":                            {true, true, false},
		"/home/ada/proj/.git/hooks/x":                          {true, true, false},
		"/home/ada/proj/.GIT/Hooks/x":                          {true, true, false},
		"/home/ada/proj/a/b/.git/config":                       {true, true, false},
		"/home/ada/proj/.gitignore":                            {true, false, false},
		"/home/ada/proj/.git/configs":                          {true, false, false},
		"/home/ada/proj/node_modules":                          {true, false, true},
		"/home/ada/proj/node_modules/a/x.js":                   {true, false, false},
		"/home/ada/proj/node_modules/.bin":                     {true, true, false},
		"/home/ada/proj/web/venv/bin/activate":                 {true, true, false},
		"/home/ada/proj/bin/tool":                              {true, false, false},
		"/home/ada/proj/.envrc":                                {false, false, false}, // by name
		"/home/ada/proj/sub/.envrc":                            {true, true, false},
		"/home/ada/proj/named/.vscode/tasks.json":              {true, false, false}, // by name
		"/home/ada/proj/.mcp.json":                             {true, true, false},
		"/home/ada/proj/sub/.claude/settings.json":             {true, true, false},
		"/home/ada/proj/opencode.json":                         {true, true, false},
		"/home/ada/proj/sub/opencode.jsonc":                    {true, true, false},
		"/home/ada/proj/.opencode/plugin/x.ts":                 {true, true, false},
		"/home/ada/proj/.qwen/settings.json":                   {true, true, false},
		"/home/ada/proj/.roo/mcp.json":                         {true, true, false},
		"/home/ada/proj/.amazonq/mcp.json":                     {true, true, false},
		"/home/ada/proj/.factory/mcp.json":                     {true, true, false},
		"/home/ada/proj/.trae/mcp.json":                        {true, true, false},
		"/home/ada/proj/.cargo":                                {true, false, true},
		"/home/ada/proj/.cargo/config.toml":                    {true, true, false},
		"/home/ada/proj/Cargo.toml":                            {true, false, false},
		"/home/ada/proj/.npmrc":                                {true, true, false},
		"/home/ada/proj/.env":                                  {true, false, false},
		"/home/ada/proj/env/bin/python":                        {true, true, false},
		"/home/ada/proj/lefthook.yml":                          {true, true, false},
		"/home/ada/projects/x":                                 {true, false, false}, // of the home folder
		"/home/ada/.bashrc":                                    {true, true, false},
		"/home/ada/.config":                                    {true, false, true},
		"/home/ada/.config/autostart/x":                        {true, true, false},
		"/home/ada/.config/weather":                            {true, false, false},
		"/home/ada/tools/x":                                    {true, true, false}, // on the PATH
		"/home/ada/.local/share/goated/servers/x/files/.envrc": {false, false, false},
		"/home/ada/.local/share/goated":                        {true, false, false},
		"/srv/x":                                               {false, false, false},
	} {
		if got := g.Covers(path); got != want.covers {
			t.Errorf("covers %s is %t", path, got)
		}
		if !want.covers {
			continue
		}
		if got := g.Protects(path); got != want.protects {
			t.Errorf("protects %s is %t", path, got)
		}
		if got := g.Leads(path); got != want.leads {
			t.Errorf("leads %s is %t", path, got)
		}
		if got := g.Allows(path); got == want.protects {
			t.Errorf("allows %s is %t", path, got)
		}
	}
	if g.Allows("/srv/x") || !g.Allows("/home/ada/proj/.envrc") {
		t.Error("it allows what is elsewhere, or refuses a file that is allowed by name")
	}
	if !g.Redirects("/home/ada/proj/sub/.Git") || g.Redirects("/home/ada/proj/env") {
		t.Error("it knows no file .git of a worktree, or takes another file for one")
	}
	if root := (&Guard{Folders: []string{"/"}}); !root.Covers("/srv/x") || !root.Protects("/srv/.envrc") {
		t.Error("it does not protect files in the root folder")
	}
}
