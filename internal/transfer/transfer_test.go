package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/proctest"
)

// configs maps paths below the user's folders to files as the clients write them.
var configs = map[string]string{
	"config/Claude/claude_desktop_config.json": `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"]},
    "github": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ456789"}},
    "broken": {"args": ["x"]}
  }
}`,
	"home/.claude.json": `{"numStartups": 41, "tipsHistory": {}, "mcpServers": {"sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp"}},
 "projects": {"/home/ada/shop": {"allowedTools": [], "mcpServers": {"db": {"type": "stdio", "command": "./tools/db.py", "args": [], "env": {"DSN": "postgres://me:pw@localhost/shop"}}}},
  "/home/ada/empty": {"mcpServers": {}}}}`,
	"home/.cursor/mcp.json": `{"mcpServers": {"linear": {"url": "https://mcp.linear.app/sse"}, "api": {"command": "uvx", "args": ["api-mcp"], "env": {"API_KEY": "${env:TEST_API_KEY}"}}}}`,
	"config/Code/User/mcp.json": `{
	// comments and a trailing comma
	"inputs": [{"type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true}],
	"servers": {
		"perplexity": {"type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "env": {"PERPLEXITY_API_KEY": "${input:perplexity-key}"}},
		"docs": {"type": "http", "url": "https://docs.example.org/mcp", "headers": {"Authorization": "Bearer ${input:perplexity-key}"}},
	},
}`,
	"config/Code/User/settings.json":               `{"editor.fontSize": 14, "mcp": {"inputs": [], "servers": {"old": {"command": "node", "args": ["/srv/old.js"]}}}}`,
	"project/.vscode/mcp.json":                     `{"servers": {"local": {"command": "python3", "args": ["${workspaceFolder}/server.py"]}}}`,
	"home/.codeium/windsurf/mcp_config.json":       `{"mcpServers": {"remote": {"serverUrl": "https://x.example.org/mcp", "headers": {"API_KEY": "value-1"}}}}`,
	"home/.config/zed/settings.json":               "{\n  // Zed\n  \"theme\": \"One Dark\",\n  \"context_servers\": {\"postgres\": {\"source\": \"custom\", \"command\": {\"path\": \"/opt/pg-mcp\", \"args\": [\"--ro\"], \"env\": {\"A\": \"b\"}}}, \"flat\": {\"command\": \"npx\", \"args\": [\"-y\", \"flat-mcp\"]}},\n}",
	"home/.gemini/settings.json":                   `{"theme": "Default", "mcpServers": {"py": {"command": "uvx", "args": ["py-mcp"], "cwd": "/home/ada", "timeout": 15000, "trust": false}, "web": {"httpUrl": "http://localhost:3000/mcp"}}}`,
	"home/.gemini/config/mcp_config.json":          `{"mcpServers": {"anti": {"command": "uvx", "args": ["anti-mcp"]}}}`,
	"home/.gemini/antigravity-cli/mcp_config.json": `{"mcpServers": {"cli": {"serverUrl": "https://cli.example.org/mcp"}}}`,
	"home/.config/goose/config.yaml": `GOOSE_PROVIDER: google
extensions:
  developer:
    enabled: true
    type: builtin
    name: developer
  fetch:
    enabled: true
    type: stdio
    cmd: uvx
    args: [mcp-server-fetch]
    env_keys: [FETCH_TOKEN]
    envs: {MODE: fast}
    timeout: 300
  notes:
    enabled: false
    type: streamable_http
    uri: https://notes.example.org/mcp
`,
	"home/.codex/config.toml": `model = "x"
[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp", "--api-key", "ctx7sk-0123456789abcdef"]

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "TEST_FIGMA_TOKEN"
http_headers = { "X-Region" = "eu" }
`,
	"home/.lmstudio/mcp.json":  `{"mcpServers": {"hf": {"url": "https://huggingface.co/mcp", "headers": {"Authorization": "Bearer hf_0123456789abcdefghijABCD"}}}}`,
	"project/.mcp.json":        `{"mcpServers": {"team": {"command": "npx", "args": ["-y", "team-mcp@1.2.3"], "env": {"TEAM_URL": "${TEAM_URL:-https://team.example.org}"}}}}`,
	"project/.cursor/mcp.json": ``,
}

// computer writes the files and returns their places.
func computer(t *testing.T) Places {
	t.Helper()
	root := t.TempDir()
	for name, text := range configs {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Places{OS: "linux", Home: filepath.Join(root, "home"), Config: filepath.Join(root, "config"), Project: filepath.Join(root, "project"), Getenv: func(string) string { return "" }}
}

var sys = launch.System{Home: "/home/ada", Stat: func(path string) (fs.FileInfo, error) {
	if path == "/home/ada/shop/tools/db.py" || path == "/opt/pg-mcp" || path == "/srv/a.py" || path == "/srv/old.js" {
		return os.Stat(os.Args[0])
	}
	return os.Stat(path)
}, Getenv: func(name string) (string, bool) {
	v, ok := map[string]string{"TEST_API_KEY": "key-of-the-environment", "TEST_FIGMA_TOKEN": "figma-token"}[name]
	return v, ok
}, LookPath: func(p string) (string, error) {
	if slices.Contains([]string{"npx", "uvx", "docker", "node", "python3"}, p) {
		return "/usr/bin/" + p, nil
	}
	return "", errors.New("not found")
}}

// Read finds the servers of each client with their exact commands. A mistake in one server does not
// affect others.
func TestRealFilesOfEachClient(t *testing.T) {
	places := computer(t)
	var got []string
	for _, f := range Files(places) {
		found := Read(f, sys)
		if found.Err != nil {
			t.Errorf("%s: %v", f.Path, found.Err)
		}
		for _, e := range found.Servers {
			if e.Err != nil {
				got = append(got, fmt.Sprintf("%s: %s: not understood", f.App.ID, e.Name))
				continue
			}
			off := ""
			if e.Server.Off {
				off = " (off)"
			}
			got = append(got, fmt.Sprintf("%s: %s: %s%s", f.App.ID, e.Name, strings.ReplaceAll(strings.Join(e.Server.Words(), " "), filepath.Dir(places.Home), "ROOT"), off))
		}
	}
	want := []string{
		"claude-desktop: broken: not understood",
		"claude-desktop: filesystem: npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents",
		"claude-desktop: github: docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
		"claude-code: sentry: https://mcp.sentry.dev/mcp",
		"claude-code: db: /home/ada/shop/tools/db.py",
		"claude-code: team: npx -y team-mcp@1.2.3",
		"cursor: api: uvx api-mcp",
		"cursor: linear: https://mcp.linear.app/sse",
		"vscode: docs: https://docs.example.org/mcp",
		"vscode: perplexity: npx -y server-perplexity-ask",
		"vscode: old: node /srv/old.js",
		"vscode: local: python3 ROOT/project/server.py",
		"windsurf: remote: https://x.example.org/mcp",
		"zed: flat: npx -y flat-mcp",
		"zed: postgres: /opt/pg-mcp --ro",
		"gemini: py: uvx py-mcp",
		"gemini: web: http://localhost:3000/mcp",
		"antigravity: anti: uvx anti-mcp",
		"antigravity: cli: https://cli.example.org/mcp",
		"goose: fetch: uvx mcp-server-fetch",
		"goose: notes: https://notes.example.org/mcp (off)",
		"codex: context7: npx -y @upstash/context7-mcp --api-key ctx7sk-0123456789abcdef",
		"codex: figma: https://mcp.figma.com/mcp",
		"lm-studio: hf: https://huggingface.co/mcp",
	}
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%d: got  %s\n   want %s", i, g, w)
		}
	}
}

// find returns the only server with a name, and the inputs of its file.
func find(t *testing.T, places Places, app, name string) (launch.Server, []launch.Input) {
	t.Helper()
	for _, f := range Files(places) {
		found := Read(f, sys)
		for _, e := range found.Servers {
			if f.App.ID == app && e.Name == name {
				return e.Server, found.Inputs
			}
		}
	}
	t.Fatalf("%s has no %s", app, name)
	return launch.Server{}, nil
}

// Secrets get a keyring reference, regardless of their origin.
func TestSecretsOfDrafts(t *testing.T) {
	places := computer(t)
	draft := func(app, name string, values map[string]string) Draft {
		s, inputs := find(t, places, app, name)
		return Drafted(s, inputs, values)
	}
	for _, tt := range []struct {
		app, name, variable, value string
		values                     map[string]string
	}{
		{"claude-desktop", "github", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghp_0123456789abcdefghijABCDEFGHIJ456789", nil},
		{"claude-code", "db", "DSN", "postgres://me:pw@localhost/shop", nil},
		{"cursor", "api", "API_KEY", "key-of-the-environment", nil},
		{"vscode", "perplexity", "PERPLEXITY_API_KEY", "typed", map[string]string{"perplexity-key": "typed"}},
		{"vscode", "docs", "Authorization", "Bearer typed", map[string]string{"perplexity-key": "typed"}},
		{"lm-studio", "hf", "Authorization", "Bearer hf_0123456789abcdefghijABCD", nil},
		{"codex", "figma", "Authorization", "Bearer figma-token", nil},
	} {
		d := draft(tt.app, tt.name, tt.values)
		list := slices.Concat(d.Env, d.Headers)
		i := slices.IndexFunc(list, func(v config.Variable) bool { return v.Name == tt.variable })
		if i < 0 || list[i].Value != tt.value || list[i].Ref == "" {
			t.Errorf("%s %s: %+v", tt.app, tt.name, list)
		}
	}
	if l := draft("codex", "context7", nil).WithoutSecrets(); !strings.Contains(strings.Join(l.Args, " "), "${input:") || strings.Contains(strings.Join(l.Args, " "), "ctx7sk") {
		t.Errorf("the arguments are %q", l.Args)
	}
	if d := draft("goose", "fetch", nil); !slices.Contains(d.Missing, "FETCH_TOKEN") || d.Env[slices.IndexFunc(d.Env, func(v config.Variable) bool { return v.Name == "MODE" })].Ref != "" {
		t.Errorf("%+v", d)
	}
	if _, in := find(t, places, "vscode", "perplexity"); len(in) != 1 || !in[0].Secret || in[0].Prompt != "Perplexity API Key" {
		t.Errorf("the inputs are %+v", in)
	}
	if d := draft("claude-code", "team", nil); len(d.Env) != 1 || d.Env[0].Value != "https://team.example.org" {
		t.Errorf("%+v", d.Env)
	}
}

// Reading an export returns the same servers, and the export contains no secrets.
func TestExportIsReadBack(t *testing.T) {
	list := []config.Launch{
		{Name: "files", Command: "npx", Args: []string{"-y", "@a/b", "a <b> & c"}, Dir: "/srv", Env: []config.Variable{{Name: "MODE", Value: "x"}, {Name: "API_KEY", Ref: "server-1"}}},
		{Name: "web", URL: "https://a.test/mcp", Headers: []config.Variable{{Name: "X-Api-Key", Value: "hush"}}},
		{Name: "web", Path: "/srv/a.py", Args: []string{"-v"}, Off: true},
	}
	text, err := Export(list)
	if err != nil || !json.Valid(text) || strings.Contains(string(text), "hush") || strings.Contains(string(text), "server-1") {
		t.Fatalf("%s, %v", text, err)
	}
	path := filepath.Join(t.TempDir(), ".mcp.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	found := Read(FileAt(path), sys)
	var got []string
	for _, e := range found.Servers {
		got = append(got, fmt.Sprint(e.Name, " ", e.Server.Words(), " ", e.Server.Off, " ", e.Err))
	}
	want := "files [npx -y @a/b a <b> & c] false <nil>; web [https://a.test/mcp] false <nil>; web-2 [python3 /srv/a.py -v] true <nil>"
	if strings.Join(got, "; ") != want {
		t.Errorf("%s\n%s", strings.Join(got, "; "), text)
	}
}

// goated runs a script with the virtual environment beside it. The export contained python3, which
// does not have the script's packages, so the server failed in every other client.
func TestAnExportNamesTheInterpreterOfAScript(t *testing.T) {
	dir := t.TempDir()
	script, python := filepath.Join(dir, "dice.py"), filepath.Join(dir, ".venv", "bin", "python3")
	if err := os.MkdirAll(filepath.Dir(python), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := proctest.WriteProgram(python, nil); err != nil {
		t.Fatal(err)
	}
	text, err := Export([]config.Launch{{Path: script}, {Command: "python3", Args: []string{script}}, {Command: "/usr/bin/python3", Args: []string{script}}})
	if err != nil || strings.Count(string(text), `"command": "`+python+`"`) != 2 || !strings.Contains(string(text), `"command": "/usr/bin/python3"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// Keys in arguments and in a URL were exported in the clear. Now the client that imports the file asks
// for them.
func TestExportHasNoSecretOfArgumentsAndAddresses(t *testing.T) {
	text, err := Export([]config.Launch{
		{Name: "db", Command: "uvx", Args: []string{"db-mcp", "postgresql://ada:purr1@db.test/x", "--api-key", "sk-purr2", "--token=purr3", "--header", "Authorization: Bearer purr4"}},
		{Name: "web", URL: "https://a.test/mcp?api_key=purr5&page=2"},
		{Name: "kept", Command: "uvx", Args: []string{"x-mcp", "--api-key", "${input:api-key}"}, Env: []config.Variable{{Name: "input:api-key", Ref: "server-2"}, {Name: "API_KEY", Value: "purr6"}}},
	})
	if err != nil || strings.Contains(string(text), "purr") || strings.Contains(string(text), "input:") {
		t.Fatalf("%s, %v", text, err)
	}
	path := filepath.Join(t.TempDir(), ".mcp.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	found := Read(FileAt(path), sys)
	var got []string
	for _, e := range found.Servers {
		var asks []string
		for _, in := range e.Server.Asks(found.Inputs) {
			asks = append(asks, in.ID)
		}
		got = append(got, e.Name+" "+strings.Join(asks, " "))
	}
	if want := "db ADDRESS API_KEY TOKEN AUTHORIZATION; kept API_KEY_2; web API_KEY"; strings.Join(got, "; ") != want {
		t.Errorf("it asks for %q\n%s", got, text)
	}
}

// A parser's message about a file that ends too early does not help the user.
func TestAFileThatEndsTooEarly(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"mcpServers\": {}":                      "line 2: the file ends too early; a } is missing",
		"{\"mcpServers\": {\"a\": {\"args\": [\"}\"": "line 1: the file ends too early; a ] is missing",
		"{ // }\n/* } */ \"a":                        `line 2: the file ends too early; a " is missing`,
	} {
		if _, err := parseText(".json", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\n got  %v\n want %s", text, err, want)
		}
	}
}

// For a file with a mistake, or a missing file, the error contains its path.
func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.json": `{"mcpServers": {`, "b.toml": "a = [", "c.yaml": "a: [", "d.json": strings.Repeat("[", 200)} {
		path := filepath.Join(dir, name)
		_ = os.WriteFile(path, []byte(text), 0o600)
		if f := Read(FileAt(path), sys); f.Err == nil || !strings.Contains(f.Err.Error(), path) {
			t.Errorf("%s: %v", name, f.Err)
		}
	}
	if f := Read(FileAt(filepath.Join(dir, "none.json")), sys); !errors.Is(f.Err, os.ErrNotExist) {
		t.Error(f.Err)
	}
	if f := Read(FileAt(dir), sys); f.Err == nil {
		t.Error("a folder is read")
	}
}

func FuzzRead(f *testing.F) {
	for name, text := range configs {
		f.Add(filepath.Ext(name), []byte(text))
	}
	f.Fuzz(func(_ *testing.T, ext string, data []byte) {
		tree, err := parseText(ext, data)
		if err != nil {
			return
		}
		for _, a := range apps {
			for _, c := range containers(File{App: a.App}, tree) {
				for name, v := range c.servers {
					if m, ok := v.(map[string]any); ok {
						if e, _ := entry(name, m, c.folder, sys); e.Err == nil {
							Drafted(e.Server, nil, nil)
						}
					}
				}
			}
		}
	})
}
