package launch

import (
	"strings"
	"testing"
)

// TestConfigurations covers the configurations of the MCP clients, as READMEs show them.
func TestConfigurations(t *testing.T) {
	sys := disk{"/work/server.py": ""}.system(every...)
	for _, c := range []struct{ name, text, want string }{
		{"Claude Desktop", `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/username/Desktop", "/path/to/other/allowed/dir"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>" }
    }
  }
}`, "npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop /path/to/other/allowed/dir | npm @modelcontextprotocol/server-filesystem | filesystem !1 /Users/username/Desktop !1 /path/to/other/allowed/dir\n" +
			"docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server GITHUB_PERSONAL_ACCESS_TOKEN?YOUR_TOKEN | container ghcr.io/github/github-mcp-server | github"},
		{"comments and trailing commas", "// add this\n{\n \"mcpServers\": {\n  // time\n  \"time\": {\"command\": \"uvx\", \"args\": [\"mcp-server-time\",],},\n },\n}", "uvx mcp-server-time | pypi mcp-server-time | time"},
		{"the inner part alone", "\"weather\": {\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"weather-mcp\"]\n},", "npx -y weather-mcp | npm weather-mcp | weather"},
		{"a map of servers", `{"weather": {"command": "npx", "args": ["-y", "weather-mcp"]}}`, "npx -y weather-mcp | npm weather-mcp | weather"},
		{"one server", `{"command": "uvx", "args": ["mcp-server-git", "--repository", "path/to/git/repo"]}`, "uvx mcp-server-git --repository path/to/git/repo | pypi mcp-server-git | git !1 path/to/git/repo"},
		{"a list of servers", `[{"name": "a", "command": "npx a-mcp"}, {"name": "b", "url": "https://b.example/mcp"}]`, "npx a-mcp | npm a-mcp | a\nhttps://b.example/mcp | web b.example | b"},
		{"typographic quotes", "{“mcpServers”: {“x”: {“command”: “npx”, “args”: [“x-mcp”]}}}", "npx x-mcp | npm x-mcp | x"},
		{"a bracket that was not copied", `{"mcpServers": {"x": {"command": "npx", "args": ["x-mcp"]}}`, "npx x-mcp | npm x-mcp | x"},
		{"a bracket too many", `{"x": {"command": "npx", "args": ["x-mcp"]}}}`, "npx x-mcp | npm x-mcp | x"},
		{"VS Code with inputs", `{
  "inputs": [{"type": "promptString", "id": "token", "description": "GitHub token", "password": true}],
  "servers": {"github": {"type": "http", "url": "https://api.githubcopilot.com/mcp/", "headers": {"Authorization": "Bearer ${input:token}"}},
    "local": {"command": "node", "args": ["${workspaceFolder}/a.js"], "env": {"T": "${input:token}", "O": "${env:OWN_TOKEN}"}}}
}`, "https://api.githubcopilot.com/mcp/ Authorization?Bearer ${input:token} | web api.githubcopilot.com | github\n" +
			"node /work/a.js O=t0p T?${input:token} | file /work/a.js | local !10 /work/a.js"},
		{"VS Code's settings", `{"mcp": {"servers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}}`, "uvx mcp-server-time | pypi mcp-server-time | time"},
		{"Zed", `{"context_servers": {"pg": {"command": {"path": "npx", "args": ["-y", "pg-mcp"], "env": {"A": "b"}}, "settings": {}}}}`, "npx -y pg-mcp A=b | npm pg-mcp | pg"},
		{"opencode", `{"$schema": "https://opencode.ai/config.json", "mcp": {"x": {"type": "local", "command": ["bunx", "x-mcp"], "enabled": false, "environment": {"A": "b"}}}}`, "bunx x-mcp A=b | npm x-mcp | x off"},
		{"Windsurf", `{"mcpServers": {"x": {"serverUrl": "https://x.example/sse", "disabled": true}}}`, "https://x.example/sse (sse) | web x.example | x off"},
		{"Gemini CLI", `{"mcpServers": {"x": {"httpUrl": "https://x.example/sse", "headers": {"X-Key": "YOUR_KEY"}, "timeout": 5000, "trust": true}}}`, "https://x.example/sse X-Key?YOUR_KEY | web x.example | x"},
		{"Claude Code's variables", `{"mcpServers": {"x": {"command": "npx", "args": ["x-mcp", "${ROOT:-/srv}"], "env": {"K": "${OWN_TOKEN}"}}}}`, "npx x-mcp /srv K=t0p | npm x-mcp | x"},
		{"numbers and flags in env", `{"command": "npx", "args": ["x-mcp", 5], "env": {"PORT": 8080, "DEBUG": true}}`, "npx x-mcp 5 DEBUG=true PORT=8080 | npm x-mcp | x"},
		{"Windows", `{"mcpServers": {"x": {"command": "cmd", "args": ["/c", "npx", "-y", "x-mcp"]}}}`, "npx -y x-mcp | npm x-mcp | x"},
		{"a script", `{"mcpServers": {"weather": {"command": "uv", "args": ["--directory", "/ABSOLUTE/PATH/TO/PARENT/FOLDER/weather", "run", "weather.py"]}}}`, "uv --directory /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather run weather.py | file /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather | weather !1 /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather"},
		{"Codex", "[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"docs-mcp\"]\nenv = { \"K\" = \"v\" }\n\n[mcp_servers.figma]\nurl = \"https://mcp.figma.com/mcp\"\nbearer_token_env_var = \"OWN_TOKEN\"\n", "npx -y docs-mcp K=v | npm docs-mcp | docs\nhttps://mcp.figma.com/mcp Authorization=Bearer t0p | web mcp.figma.com | figma"},
		{"Goose", "extensions:\n  developer:\n    type: builtin\n    enabled: true\n  github:\n    name: GitHub\n    cmd: npx\n    args: [-y, '@modelcontextprotocol/server-github']\n    enabled: true\n    envs: {}\n    env_keys: [GITHUB_TOKEN]\n    type: stdio\n    timeout: 300\n  web:\n    uri: https://w.example/mcp\n    type: streamable_http\n    enabled: false\n", "npx -y @modelcontextprotocol/server-github GITHUB_TOKEN? | npm @modelcontextprotocol/server-github | github\nhttps://w.example/mcp | web w.example | web off"},
		{"Continue", "mcpServers:\n  - name: sqlite\n    command: uvx\n    args:\n      - mcp-server-sqlite\n", "uvx mcp-server-sqlite | pypi mcp-server-sqlite | sqlite"},
		{"a VS Code link", "vscode:mcp/install?%7B%22name%22%3A%22play%22%2C%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22%40playwright%2Fmcp%22%5D%7D", "npx @playwright/mcp | npm @playwright/mcp | play"},
		{"a link of vscode.dev", "https://insiders.vscode.dev/redirect/mcp/install?name=x&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22x-mcp%22%5D%7D", "npx x-mcp | npm x-mcp | x"},
		{"a Cursor link", "cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyJ4LW1jcCJdfQ==", "npx x-mcp | npm x-mcp | x"},
		{"a Cursor web link", "https://cursor.com/en/install-mcp?name=x&config=eyJ1cmwiOiJodHRwczovL3guZXhhbXBsZS9tY3AifQ%3D%3D", "https://x.example/mcp | web x.example | x"},
		{"a Kiro link", "https://kiro.dev/launch/mcp/add?name=x&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22x-mcp%22%5D%2C%22disabled%22%3Afalse%7D", "npx x-mcp | npm x-mcp | x"},
		{"an LM Studio link", "https://lmstudio.ai/install-mcp?name=x&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyJ4LW1jcCJdfQ%3D%3D", "npx x-mcp | npm x-mcp | x"},
		{"a newer Cursor link", "https://cursor.com/link/mcp%2Finstall?name=x&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyJ4LW1jcCJdfQ==", "npx x-mcp | npm x-mcp | x"},
		{"a Raycast link", "raycast://mcp/install?%7B%22name%22%3A%22x%22%2C%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22x-mcp%22%5D%7D", "npx x-mcp | npm x-mcp | x"},
		{"a Goose link", "goose://extension?cmd=npx&arg=-y&arg=x-mcp&id=x&name=X%20Files&env=KEY%3Dthe%20key", "npx -y x-mcp KEY?the key | npm x-mcp | X Files"},
	} {
		r, err := Understand(c.text, sys)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, s := range r.Servers {
			got = append(got, shown(s))
		}
		if g := strings.Join(got, "\n"); g != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.name, g, c.want)
		}
	}
}

func TestFillReplacesInputs(t *testing.T) {
	r, err := Understand(`{"inputs": [{"id": "k", "type": "promptString", "description": "Key", "password": true}, {"id": "r", "type": "pickString", "options": ["eu", {"label": "US", "value": "us"}], "default": "eu"}],
		"servers": {"x": {"command": "npx", "args": ["x-mcp", "--region=${input:r}"], "env": {"KEY": "${input:k}"}}}}`, disk{}.system("npx"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Inputs) != 2 || !r.Inputs[0].Secret || r.Inputs[0].Prompt != "Key" || strings.Join(r.Inputs[1].Options, " ") != "eu us" || r.Inputs[1].Default != "eu" {
		t.Errorf("inputs %+v", r.Inputs)
	}
	if got := shown(r.Servers[0].Fill(map[string]string{"k": "s3cret", "r": "us"})); got != "npx x-mcp --region=us KEY=s3cret | npm x-mcp | x" {
		t.Error(got)
	}
}

func TestSays(t *testing.T) {
	for name, want := range map[string]bool{
		"": false, "server": false, "MCP Server": false, "my-mcp-server": false, "FastMCP-1a2b": false, "example server": false, "main": false,
		"weather": true, "Everything Reference Server": true, "secure-filesystem-server": true, "My Notes": true,
	} {
		if got := IsSpecificName(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// A server that is described incorrectly does not affect the others in its text.
func TestBadEntriesSpoilNoOthers(t *testing.T) {
	sys := disk{}.system(every...)
	for _, c := range []struct{ text, want string }{
		{`{"mcpServers": {"bad": {"args": ["x"]}, "fs": {"command": "npx", "args": ["-y", "fs-mcp"]}}}`, `npx -y fs-mcp | npm fs-mcp | fs !9 bad has neither a command nor a URL`},
		{`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"]}, "bad": {"url": "example"}}}`, `npx -y fs-mcp | npm fs-mcp | fs !9 bad: example is not a web address`},
		{`{"mcpServers": {"gone": {"command": "/opt/gone"}, "fs": {"url": "https://a.example/mcp"}}}`, `https://a.example/mcp | web a.example | fs !9 gone: Server script not found: /opt/gone`},
		{`{"bad": {}, "fs": {"command": "npx", "args": ["-y", "fs-mcp"]}}`, `npx -y fs-mcp | npm fs-mcp | fs !9 bad has neither a command nor a URL`},
		{`[{"name": "bad"}, {"name": "fs", "command": "npx", "args": ["-y", "fs-mcp"]}, 7]`, `npx -y fs-mcp | npm fs-mcp | fs !9 bad: This JSON names no MCP server !9 Server 3: This JSON names no MCP server`},
		{"[mcp_servers.bad]\nargs = []\n[mcp_servers.fs]\ncommand = \"npx\"\nargs = [\"-y\", \"fs-mcp\"]", `npx -y fs-mcp | npm fs-mcp | fs !9 bad has neither a command nor a URL`},
	} {
		says(t, c.text, c.want, sys)
	}
	for _, text := range []string{`{"mcpServers": {"bad": {}}}`, `[]`, `[{}]`, `{"name": "x", "scripts": {"a": "b"}, "bugs": {"url": "https://a.example/bugs"}}`} {
		if r, err := Understand(text, sys); err == nil {
			t.Errorf("%s is taken for %s", text, shown(r.Servers[0]))
		}
	}
}
