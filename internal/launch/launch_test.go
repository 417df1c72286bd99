package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// A disk maps the absolute paths of the test computer's files to their contents. A first line with #!
// marks a program.
type disk map[string]string

// system returns a System with these files. The home folder is /home/ada, and the working directory is
// /work.
func (f disk) system(programs ...string) System {
	tree := make(fstest.MapFS)
	for name, text := range f {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			tree[dir[1:]] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		tree[name[1:]] = &fstest.MapFile{Data: []byte(text), Mode: mode}
	}
	at := func(name string) string { return strings.TrimPrefix(path.Clean(name), "/") }
	return System{
		Home: "/home/ada", Dir: "/work",
		Stat: func(name string) (fs.FileInfo, error) { return fs.Stat(tree, at(name)) },
		Read: func(name string, most int) ([]byte, error) {
			data, err := fs.ReadFile(tree, at(name))
			return data[:min(len(data), most)], err
		},
		List: func(name string) ([]string, error) {
			entries, err := fs.ReadDir(tree, at(name))
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
			}
			return names, err
		},
		LookPath: func(program string) (string, error) {
			if slices.Contains(programs, program) {
				return "/usr/bin/" + program, nil
			}
			return "", errors.New("not found")
		},
		Getenv: func(name string) (string, bool) {
			value, ok := map[string]string{"OWN_TOKEN": "t0p"}[name]
			return value, ok
		},
	}
}

// shown formats a server on one line, for tables: how it runs, its variables, its origin, its name and
// its notes.
func shown(s Server) string {
	out := strings.Join(s.Words(), " ")
	if s.Kind == Script {
		out = "script " + out
	}
	if s.Kind == Bundle {
		out = "bundle " + out
	}
	if s.Remote.SSE {
		out += " (sse)"
	}
	if s.Dir != "" {
		out += " in " + s.Dir
	}
	for _, v := range slices.Concat(s.Env, s.Remote.Headers) {
		if v.Ask {
			out += " " + v.Name + "?" + v.Prompt + v.Value
		} else {
			out += " " + v.Name + "=" + v.Value
		}
	}
	if s.Origin.Source != "" {
		out += " | " + string(s.Origin.Source) + " " + s.Origin.Package
		if s.Origin.Version != "" {
			out += " " + s.Origin.Version
		}
	}
	out += " | " + s.Name
	for _, n := range s.Notes {
		out += fmt.Sprintf(" !%d %s", n.Kind, n.Subject)
	}
	if s.Off {
		out += " off"
	}
	return out
}

// every lists the programs that READMEs use.
var every = []string{"npx", "uvx", "uv", "node", "python", "python3", "docker", "bunx", "pipx", "deno", "java", "go", "env", "mcp-server-time", "claude"}

// TestREADMELines covers the lines with which popular servers are documented.
func TestREADMELines(t *testing.T) {
	sys := disk{"/home/ada/Documents/": "", "/work/build/index.js": "", "/work/server.py": "", "/work/data/trip.db": ""}.system(every...)
	for _, c := range []struct{ text, want string }{
		{"npx -y @modelcontextprotocol/server-everything", "npx -y @modelcontextprotocol/server-everything | npm @modelcontextprotocol/server-everything | everything"},
		{"npx -y @modelcontextprotocol/server-filesystem ~/Documents", "npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents | npm @modelcontextprotocol/server-filesystem | filesystem"},
		{"npx -y @modelcontextprotocol/server-filesystem /path/to/allowed/dir", "npx -y @modelcontextprotocol/server-filesystem /path/to/allowed/dir | npm @modelcontextprotocol/server-filesystem | filesystem !1 /path/to/allowed/dir"},
		{"npx -y @modelcontextprotocol/server-memory", "npx -y @modelcontextprotocol/server-memory | npm @modelcontextprotocol/server-memory | memory"},
		{"npx -y @modelcontextprotocol/server-sequential-thinking", "npx -y @modelcontextprotocol/server-sequential-thinking | npm @modelcontextprotocol/server-sequential-thinking | sequential-thinking"},
		{"GITHUB_PERSONAL_ACCESS_TOKEN=<YOUR_TOKEN> npx -y @modelcontextprotocol/server-github", "npx -y @modelcontextprotocol/server-github GITHUB_PERSONAL_ACCESS_TOKEN?YOUR_TOKEN | npm @modelcontextprotocol/server-github | github"},
		{"BRAVE_API_KEY=abc npx -y @modelcontextprotocol/server-brave-search", "npx -y @modelcontextprotocol/server-brave-search BRAVE_API_KEY=abc | npm @modelcontextprotocol/server-brave-search | brave-search"},
		{"npx @playwright/mcp@latest", "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
		{"npx chrome-devtools-mcp@latest --headless", "npx chrome-devtools-mcp@latest --headless | npm chrome-devtools-mcp | chrome-devtools"},
		{"npx -y @upstash/context7-mcp@2.1.0", "npx -y @upstash/context7-mcp@2.1.0 | npm @upstash/context7-mcp 2.1.0 | context7"},
		{"npx -y tavily-mcp@0.1.2", "npx -y tavily-mcp@0.1.2 | npm tavily-mcp 0.1.2 | tavily"},
		{"env FIRECRAWL_API_KEY=fc-YOUR_API_KEY npx -y firecrawl-mcp", "npx -y firecrawl-mcp FIRECRAWL_API_KEY?fc-YOUR_API_KEY | npm firecrawl-mcp | firecrawl"},
		{"npx -y @antv/mcp-server-chart", "npx -y @antv/mcp-server-chart | npm @antv/mcp-server-chart | chart"},
		{"npx -y figma-developer-mcp --figma-api-key=YOUR-KEY --stdio", "npx -y figma-developer-mcp --figma-api-key=YOUR-KEY --stdio | npm figma-developer-mcp | figma-developer !1 --figma-api-key=YOUR-KEY"},
		{"npx -y @supabase/mcp-server-supabase@latest --read-only --project-ref=<project-ref>", "npx -y @supabase/mcp-server-supabase@latest --read-only --project-ref=<project-ref> | npm @supabase/mcp-server-supabase | supabase !1 --project-ref=<project-ref>"},
		{"npx -y mongodb-mcp-server --connectionString mongodb://localhost:27017/db --readOnly", "npx -y mongodb-mcp-server --connectionString mongodb://localhost:27017/db --readOnly | npm mongodb-mcp-server | mongodb"},
		{"npx -y @executeautomation/playwright-mcp-server", "npx -y @executeautomation/playwright-mcp-server | npm @executeautomation/playwright-mcp-server | playwright"},
		{"npx @sentry/mcp-server@latest --access-token=sentry-user-token", "npx @sentry/mcp-server@latest --access-token=sentry-user-token | npm @sentry/mcp-server | sentry !1 --access-token=sentry-user-token"},
		{"npx -y @notionhq/notion-mcp-server", "npx -y @notionhq/notion-mcp-server | npm @notionhq/notion-mcp-server | notion"},
		{"npx -y exa-mcp-server --tools=web_search_exa,crawling", "npx -y exa-mcp-server --tools=web_search_exa,crawling | npm exa-mcp-server | exa"},
		{"npx -y mcp-server-kubernetes", "npx -y mcp-server-kubernetes | npm mcp-server-kubernetes | kubernetes"},
		{"npx n8n-mcp", "npx n8n-mcp | npm n8n-mcp | n8n"},
		{"npx @wonderwhy-er/desktop-commander@latest", "npx @wonderwhy-er/desktop-commander@latest | npm @wonderwhy-er/desktop-commander | desktop-commander"},
		{"npx -y mcp-remote https://mcp.linear.app/sse", "npx -y mcp-remote https://mcp.linear.app/sse | npm mcp-remote | linear !8 https://mcp.linear.app/sse"},
		{"npx -y --package=task-master-ai task-master-ai", "npx -y --package=task-master-ai task-master-ai | npm task-master-ai | task-master-ai"},
		{"npx -y @azure/mcp@latest server start", "npx -y @azure/mcp@latest server start | npm @azure/mcp | azure"},
		{"npm exec -y -- @modelcontextprotocol/server-memory", "npm exec -y -- @modelcontextprotocol/server-memory | npm @modelcontextprotocol/server-memory | memory !0 npm"},
		{"bunx -y @playwright/mcp", "bunx -y @playwright/mcp | npm @playwright/mcp | playwright"},
		{"pnpm dlx @modelcontextprotocol/server-everything", "pnpm dlx @modelcontextprotocol/server-everything | npm @modelcontextprotocol/server-everything | everything !0 pnpm"},
		{"npx github:owner/repo-mcp", "npx github:owner/repo-mcp | git owner/repo-mcp | repo"},
		{"@playwright/mcp", "npx -y @playwright/mcp | npm @playwright/mcp | playwright"},

		{"uvx mcp-server-time --local-timezone=Europe/Lisbon", "uvx mcp-server-time --local-timezone=Europe/Lisbon | pypi mcp-server-time | time"},
		{"uvx mcp-server-git --repository ~/Documents", "uvx mcp-server-git --repository /home/ada/Documents | pypi mcp-server-git | git"},
		{"uvx mcp-server-sqlite --db-path data/trip.db", "uvx mcp-server-sqlite --db-path /work/data/trip.db | pypi mcp-server-sqlite | sqlite"},
		{"uvx mcp-server-fetch", "uvx mcp-server-fetch | pypi mcp-server-fetch | fetch"},
		{"uvx markitdown-mcp", "uvx markitdown-mcp | pypi markitdown-mcp | markitdown"},
		{"uvx blender-mcp", "uvx blender-mcp | pypi blender-mcp | blender"},
		{"uvx excel-mcp-server stdio", "uvx excel-mcp-server stdio | pypi excel-mcp-server | excel"},
		{"uvx --from office-word-mcp-server word_mcp_server", "uvx --from office-word-mcp-server word_mcp_server | pypi office-word-mcp-server | office-word"},
		{"uvx arxiv-mcp-server --storage-path ~/papers", "uvx arxiv-mcp-server --storage-path /home/ada/papers | pypi arxiv-mcp-server | arxiv"},
		{"uvx duckduckgo-mcp-server", "uvx duckduckgo-mcp-server | pypi duckduckgo-mcp-server | duckduckgo"},
		{"uvx awslabs.aws-documentation-mcp-server@latest", "uvx awslabs.aws-documentation-mcp-server@latest | pypi awslabs.aws-documentation-mcp-server | awslabs-aws-documentation"},
		{"uvx postgres-mcp --access-mode=restricted", "uvx postgres-mcp --access-mode=restricted | pypi postgres-mcp | postgres"},
		{"QDRANT_LOCAL_PATH=./q uvx mcp-server-qdrant", "uvx mcp-server-qdrant QDRANT_LOCAL_PATH=./q | pypi mcp-server-qdrant | qdrant"},
		{"uvx jupyter-mcp-server@1.2.3", "uvx jupyter-mcp-server@1.2.3 | pypi jupyter-mcp-server 1.2.3 | jupyter"},
		{"uvx --from git+https://github.com/oraios/serena serena start-mcp-server", "uvx --from git+https://github.com/oraios/serena serena start-mcp-server | git https://github.com/oraios/serena | serena"},
		{"uvx --with 'mcp<2' mcp-server-time==2025.9.1", "uvx --with mcp<2 mcp-server-time==2025.9.1 | pypi mcp-server-time 2025.9.1 | time"},
		{"pipx run mcp-server-time", "pipx run mcp-server-time | pypi mcp-server-time | time"},
		{"uv tool run mcp-server-time", "uv tool run mcp-server-time | pypi mcp-server-time | time"},
		{"uv --directory /opt/weather run weather.py", "uv --directory /opt/weather run weather.py | file /opt/weather | weather !10 /opt/weather"},
		{"uv run --with mcp mcp run server.py", "uv run --with mcp mcp run /work/server.py | file /work/server.py | work"},
		{"python -m mcp_server_time", "python -m mcp_server_time | installed mcp_server_time | time"},
		{"python3 server.py --verbose", "python3 /work/server.py --verbose | file /work/server.py | work"},
		{"node build/index.js", "node /work/build/index.js | file /work/build/index.js | work"},
		{"mcp-server-time", "mcp-server-time | installed mcp-server-time | time"},
		{"deno run -A jsr:@example/mcp", "deno run -A jsr:@example/mcp | jsr @example/mcp | example"},
		{"java -jar /opt/mcp/keycloak.jar", "java -jar /opt/mcp/keycloak.jar | file /opt/mcp/keycloak.jar | keycloak !10 /opt/mcp/keycloak.jar"},
		{"go run github.com/mark3labs/mcp-filesystem-server@latest /tmp", "go run github.com/mark3labs/mcp-filesystem-server@latest /tmp | go github.com/mark3labs/mcp-filesystem-server latest | filesystem"},

		{"docker run -i --rm mcp/fetch", "docker run -i --rm mcp/fetch | container mcp/fetch | fetch"},
		{"docker run -it --rm mcp/time", "docker run -i --rm mcp/time | container mcp/time | time !5 -it"},
		{"sudo docker run --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=<your-token> ghcr.io/github/github-mcp-server:v1.2", "docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server:v1.2 GITHUB_PERSONAL_ACCESS_TOKEN?your-token | container ghcr.io/github/github-mcp-server v1.2 | github !2 sudo !4 -i"},
		{"docker run -i --rm -e OWN_TOKEN --mount type=bind,src=/home/ada,dst=/p mcp/filesystem /p", "docker run -i --rm -e OWN_TOKEN --mount type=bind,src=/home/ada,dst=/p mcp/filesystem /p OWN_TOKEN=t0p | container mcp/filesystem | filesystem"},

		{"https://mcp.linear.app/mcp", "https://mcp.linear.app/mcp | web mcp.linear.app | linear"},
		{"https://mcp.asana.com/sse", "https://mcp.asana.com/sse (sse) | web mcp.asana.com | asana"},
		{"http://localhost:3000/mcp", "http://localhost:3000/mcp | web localhost:3000 | localhost-3000"},
		{"https://api.githubcopilot.com/mcp/", "https://api.githubcopilot.com/mcp/ | web api.githubcopilot.com | githubcopilot"},
		{"mcp.deepwiki.com/mcp", "https://mcp.deepwiki.com/mcp | web mcp.deepwiki.com | deepwiki"},

		{"$ npx -y @modelcontextprotocol/server-everything", "npx -y @modelcontextprotocol/server-everything | npm @modelcontextprotocol/server-everything | everything"},
		{"ada@laptop:~/src$ uvx mcp-server-fetch", "uvx mcp-server-fetch | pypi mcp-server-fetch | fetch"},
		{"PS C:\\Users\\ada> npx -y tavily-mcp", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{"1. npm install\n2. npx -y tavily-mcp", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{`[ada@host ~]$ claude mcp add-json fs '{"command":"npx","args":["-y","fs-mcp"]}'`, "npx -y fs-mcp | npm fs-mcp | fs"},
		{"```bash\nnpx -y tavily-mcp\n```", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{"`npx -y tavily-mcp`", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{"npx -y \\\n  @modelcontextprotocol/server-filesystem \\\n  ~/Documents", "npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents | npm @modelcontextprotocol/server-filesystem | filesystem"},
		{"npx -y ^\n  tavily-mcp", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{"export TAVILY_API_KEY=\"tvly-1\"\nnpx -y tavily-mcp", "npx -y tavily-mcp TAVILY_API_KEY=tvly-1 | npm tavily-mcp | tavily"},
		{"set TAVILY_API_KEY=tvly-1\nnpx -y tavily-mcp", "npx -y tavily-mcp TAVILY_API_KEY=tvly-1 | npm tavily-mcp | tavily"},
		{"$env:TAVILY_API_KEY=\"tvly-1\"\nnpx -y tavily-mcp", "npx -y tavily-mcp TAVILY_API_KEY=tvly-1 | npm tavily-mcp | tavily"},
		{"pip install mcp-server-time\npython -m mcp_server_time", "python -m mcp_server_time | installed mcp_server_time | time"},
		{"cd /work && npm install && node build/index.js", "node /work/build/index.js | file /work/build/index.js | work"},
		{"# Weather\nnpx -y weather-mcp # for all", "npx -y weather-mcp | npm weather-mcp | weather"},
		{"npx -y weather-mcp “New York” –metric", "npx -y weather-mcp New York --metric | npm weather-mcp | weather"},
		{`npx -y x --root "My files" 'a b'`, "npx -y x --root My files a b | npm x | x"},
		{"npx @modelcontextprotocol/inspector uvx mcp-server-time", "uvx mcp-server-time | pypi mcp-server-time | time !3 the MCP Inspector"},
		{"cmd /c npx -y tavily-mcp", "npx -y tavily-mcp | npm tavily-mcp | tavily"},
		{"npx -y mcp-remote https://x.example/mcp --header \"Authorization: Bearer ${NO_TOKEN}\"", "npx -y mcp-remote https://x.example/mcp --header Authorization: Bearer ${input:NO_TOKEN} | npm mcp-remote | x !8 https://x.example/mcp"},
		{"npx -y x --token $OWN_TOKEN --dir $(pwd)", "npx -y x --token t0p --dir /work | npm x | x"},

		{"claude mcp add playwright npx @playwright/mcp@latest", "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
		{"claude mcp add -s user airtable -e AIRTABLE_API_KEY=YOUR_KEY -- npx -y airtable-mcp-server", "npx -y airtable-mcp-server AIRTABLE_API_KEY?YOUR_KEY | npm airtable-mcp-server | airtable"},
		{"claude mcp add --transport http notion https://mcp.notion.com/mcp", "https://mcp.notion.com/mcp | web mcp.notion.com | notion"},
		{"claude mcp add --transport sse asana https://mcp.asana.com/sse --header \"X-API-Key: your-key\"", "https://mcp.asana.com/sse (sse) X-API-Key?your-key | web mcp.asana.com | asana"},
		{`claude mcp add-json weather '{"type":"stdio","command":"npx","args":["-y","weather-mcp"]}'`, "npx -y weather-mcp | npm weather-mcp | weather"},
		{"codex mcp add context7 --env A=b -- npx -y @upstash/context7-mcp", "npx -y @upstash/context7-mcp A=b | npm @upstash/context7-mcp | context7"},
		{"gemini mcp add -e K=v docs uvx mcp-server-fetch --flag", "uvx mcp-server-fetch --flag K=v | pypi mcp-server-fetch | docs"},
		{`code --add-mcp '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}'`, "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
	} {
		r, err := Understand(c.text, sys)
		if err != nil || len(r.Servers) != 1 {
			t.Errorf("%s\n %d servers, %v", c.text, len(r.Servers), err)
			continue
		}
		if got := shown(r.Servers[0]); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.text, got, c.want)
		}
	}
}

// TestPaths covers the files and folders that a user may choose.
func TestPaths(t *testing.T) {
	sys := disk{
		"/work/dice.py": "", "/work/dice.js": "", "/work/dice.go": "package main", "/work/my tool.py": "", "/work/it's.py": "",
		"/work/a.mjs": "", "/work/b.cjs": "", "/work/c.ts": "", "/work/d.sh": "", "/work/e": "#!/bin/sh\n", "/work/f.jar": "", "/work/g": "#not a program", "/work/h.rb": "#!/usr/bin/env ruby\n", "/work/notes.txt": "hello", "/work/x.mcpb": "PK",
		"/home/ada/mcp/mail/server.py": "", "/work/pkg/dist/index.js": "", "/work/pkg/package.json": `{"name":"@acme/mcp-server-mail","bin":{"z-tool":"./z.js","acme-mcp":"dist/index.js"},"dependencies":{"zod":"4"}}`, "/work/pkg/z.js": "",
		"/work/main-only/package.json": `{"name":"main-only","main":"lib/start"}`, "/work/main-only/lib/start.js": "",
		"/work/unbuilt/package.json": `{"name":"u","bin":"dist/u.js","scripts":{"build":"tsc"}}`,
		"/work/py/pyproject.toml":    "[project]\nname='mcp-weather'\n[project.scripts]\nmcp-weather='w:main'\n", "/work/py/.venv/bin/mcp-weather": "#!",
		"/work/uvpy/pyproject.toml": "[project]\nname='tides'\n[project.scripts]\ntides-mcp='w:main'\n",
		"/work/gopkg/go.mod":        "module example.org/x/tides-mcp\n", "/work/gopkg/main.go": "package main\nfunc main() {}\n", "/work/gopkg/helper.go": "package main\n",
		"/work/gocmd/go.mod": "module example.org/y\n", "/work/gocmd/cmd/y-mcp/main.go": "package main\nfunc main() {}\n", "/work/gocmd/cmd/tool/main.go": "package main\nfunc main() {}\n",
		"/work/plain/server.py": "", "/work/empty/": "", "/work/tsx/node_modules/.bin/tsx": "#!", "/work/tsx/src/server.ts": "",
		"/work/.mcp.json": `{"mcpServers":{"a":{"command":"npx","args":["-y","a-mcp"]}}}`,
	}.system("node", "uv", "go", "npx", "python3", "sh", "java")
	for _, c := range []struct{ text, want string }{
		{"dice.py", "script /work/dice.py | file /work/dice.py | dice"},
		{"/work/dice.js", "script /work/dice.js | file /work/dice.js | dice"},
		{"./dice.go", "script /work/dice.go | file /work/dice.go | dice"},
		{"my tool.py", "script /work/my tool.py | file /work/my tool.py | my tool"},
		{`"/work/my tool.py"`, "script /work/my tool.py | file /work/my tool.py | my tool"},
		{`/work/my\ tool.py`, "script /work/my tool.py | file /work/my tool.py | my tool"},
		{"file:///work/my%20tool.py", "script /work/my tool.py | file /work/my tool.py | my tool"},
		{"it's.py", "script /work/it's.py | file /work/it's.py | it's"},
		{"dice.py --sides 6", "script /work/dice.py --sides 6 | file /work/dice.py | dice"},
		{"~/mcp/mail/server.py", "script /home/ada/mcp/mail/server.py | file /home/ada/mcp/mail/server.py | mail"},
		{"a.mjs", "node /work/a.mjs | file /work/a.mjs | a"},
		{"b.cjs x", "node /work/b.cjs x | file /work/b.cjs | b"},
		{"c.ts", "node /work/c.ts | file /work/c.ts | c"},
		{"tsx/src/server.ts", "/work/tsx/node_modules/.bin/tsx /work/tsx/src/server.ts | file /work/tsx/src/server.ts | tsx"},
		{"d.sh", "sh /work/d.sh | file /work/d.sh | d"},
		{"./e --fast", "/work/e --fast | file /work/e | e"},
		{"f.jar", "java -jar /work/f.jar | file /work/f.jar | f"},
		{"x.mcpb", "bundle /work/x.mcpb | file /work/x.mcpb | x"},
		{"pkg", "script /work/pkg/dist/index.js | file /work/pkg | mail !6 /work/pkg"},
		{"/work/pkg/package.json", "script /work/pkg/dist/index.js | file /work/pkg | mail !6 /work/pkg"},
		{"/work/pkg/dist/index.js", "script /work/pkg/dist/index.js | file /work/pkg/dist/index.js | mail"},
		{"main-only", "script /work/main-only/lib/start.js | file /work/main-only | main-only"},
		{"py", "/work/py/.venv/bin/mcp-weather | file /work/py | weather"},
		{"./uvpy", "uv run --directory /work/uvpy tides-mcp | file /work/uvpy | tides"},
		{"gopkg", "go run . in /work/gopkg | file /work/gopkg | tides"},
		{"gocmd", "go run ./cmd/y-mcp in /work/gocmd | file /work/gocmd | y"},
		{"plain", "script /work/plain/server.py | file /work/plain/server.py | plain"},
		{".mcp.json", "npx -y a-mcp | npm a-mcp | a"},
	} {
		r, err := Understand(c.text, sys)
		if err != nil || len(r.Servers) != 1 {
			t.Errorf("%s\n %d servers, %v", c.text, len(r.Servers), err)
			continue
		}
		if got := shown(r.Servers[0]); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.text, got, c.want)
		}
	}
}

// TestProblems covers texts that contain no server, with the reason.
func TestProblems(t *testing.T) {
	sys := disk{
		"/work/notes.txt": "hello", "/work/server.PY": "", "/work/empty/": "",
		"/work/unbuilt/package.json": `{"name":"u","bin":"dist/u.js","scripts":{"build":"tsc"}}`,
		"/work/gocmd/go.mod":         "module example.org/y\n", "/work/gocmd/cmd/a/main.go": "package main\nfunc main() {}\n", "/work/gocmd/cmd/b/main.go": "package main\nfunc main() {}\n",
		"/work/py/pyproject.toml": "[project]\nname='w'\n[project.scripts]\nw='w:main'\n",
		"/work/broken.json":       `{"mcpServers": {`, "/work/other.json": `{"a": 1}`,
	}.system("npx", "node")
	for _, c := range []struct {
		text   string
		kind   ProblemKind
		says   string
		detail string
	}{
		{"", Empty, "There is nothing to read", ""},
		{"   \n", Empty, "There is nothing to read", ""},
		{"notes.txt", BadScript, ExtensionSentence, ""},
		{"server.PY", BadScript, ExtensionSentence, ""},
		{"/nowhere/a.rs", BadScript, ExtensionSentence, ""},
		{"/nowhere/a.py", NotFound, "Server script not found: /nowhere/a.py", ""},
		{"nowhere.js --x", NotFound, "Server script not found: /work/nowhere.js", ""},
		{"/nowhere/tool", NotFound, "Server script not found: /nowhere/tool", ""},
		{"please connect my files", NoProgram, `"please" is neither a program on this computer nor a path`, ""},
		{"https://a.test/mcp extra words", AfterAddress, `A server with an address takes no arguments, but "extra" follows the address`, ""},
		{"https://a.test/mcp --env K=1", AfterAddress, `A server with an address takes no arguments, but "--env" follows the address`, ""},
		{"a.test/mcp --header", AfterAddress, `A server with an address takes no arguments, but "--header" follows the address`, ""},
		{"npx -y x | tee log", NeedsShell, "Only a shell understands |", ""},
		{"npx -y x > log", NeedsShell, "Only a shell understands >", ""},
		{"npx -y x --key $(cat key)", NeedsShell, "Only a shell understands $(…)", ""},
		{"npx -y x &", NeedsShell, "Only a shell understands &", ""},
		{`npx -y x "a`, BadSyntax, "There is a mistake in this command: it ends without closing quote `\"`", ""},
		{"npm install -g tavily-mcp", Installs, `The command "npm install -g tavily-mcp" installs a server but does not start it`, "npx -y tavily-mcp"},
		{"pip install mcp-server-time", Installs, `The command "pip install mcp-server-time" installs a server but does not start it`, "uvx mcp-server-time"},
		{"git clone https://github.com/a/b", Installs, `The command "git clone https://github.com/a/b" installs a server but does not start it`, ""},
		{"npx -y @smithery/cli install exa --client claude", Configures, `The command "npx -y @smithery/cli install exa --client claude" sets up another program`, ""},
		{"claude mcp list", Configures, `The command "claude mcp list" sets up another program`, ""},
		{`{"mcpServers": {}}`, NoServer, "This JSON names no MCP server", ""},
		{`{"a": {"b": 1}}`, NoServer, "This JSON names no MCP server", ""},
		{`{"mcpServers": {"x": {"args": []}}}`, BadServer, `x has neither a command nor a URL`, ""},
		{"{\"mcpServers\": {\n\"fs\": {\"url\":", BadSyntax, "There is a mistake in this JSON: it ends too early, so something is missing at its end", ""},
		{"{\"mcpServers\": {\n\"x\": nope}}", BadSyntax, "There is a mistake in line 2 of this JSON", ""},
		{"other.json", NoServer, "/work/other.json names no MCP server", ""},
		{"https://", BadURL, "https:// is not a web address", ""},
		{"empty", NothingInside, "goated finds no server in /work/empty", ""},
		{"unbuilt", NotBuilt, "/work/unbuilt/dist/u.js does not exist: the server is not built yet", "npm install && npm run build"},
		{"gocmd", Ambiguous, "/work/gocmd has several programs: cmd/a, cmd/b", ""},
		{"py", Uninstalled, "The server in /work/py is not installed yet", "python3 -m venv .venv && .venv/bin/pip install ."},
	} {
		r, err := Understand(c.text, sys)
		var p *Problem
		if !errors.As(err, &p) {
			t.Errorf("%q: %+v, %v", c.text, r, err)
			continue
		}
		if p.Kind != c.kind || !strings.HasPrefix(p.Error(), c.says) || c.detail != "" && p.Detail != c.detail {
			t.Errorf("%q: %d %q (%s)", c.text, p.Kind, p, p.Detail)
		}
	}
}

// TestUnderstandIsFast checks that a keystroke costs less than 50 ms, whatever the field contains.
func TestUnderstandIsFast(t *testing.T) {
	for _, text := range []string{
		"npx -y @modelcontextprotocol/server-filesystem ~/Documents",
		`{"mcpServers":{` + strings.Repeat(`"a":{"command":"npx","args":["-y","x"]},`, 300) + `}}`,
		strings.Repeat("a b ", 2000), strings.Repeat("{", 50000), strings.Repeat(`"`, 8001), strings.Repeat("<a", 4000), strings.Repeat("npx -y x\n", 400), strings.Repeat("x", 100000),
	} {
		limit := 50 * time.Millisecond
		if testing.Short() { // the race detector makes it ten times slower
			limit *= 10
		}
		fastest := time.Hour
		for n := 0; n < 30 && fastest > limit; n++ { // other programs also use the processors
			began := time.Now()
			_, _ = Understand(text, Here(nil))
			fastest = min(fastest, time.Since(began))
		}
		if fastest > limit {
			t.Errorf("%.40q takes %s", text, fastest)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, text := range []string{
		"npx -y x", "/a/b.py", "https://a.example/mcp", `{"mcpServers":{"a":{"command":"x"}}}`, "[mcp_servers.a]\ncommand='x'", "extensions:\n  a:\n    cmd: x\n",
		"docker run -it -e A=b img", "claude mcp add a -- b", "vscode:mcp/install?%7B%7D", "A=${B:-c} $(pwd) <x>", `"a": {"command": ["x"]},`, "uvx --from", "env", "cmd /c", "sudo -E", "npx @modelcontextprotocol/inspector -e",
		"npx -p @anthropic-ai/claude-code claude mcp add a -- b", `{"servers":["npx -y a"]}`, `{"a":{"command":"npx -y","args":["a"]}}`, `{"command":"a","args":"b"}`, "goose session --with-extension 'A=b npx a'", "curl -H 'A: b' https://a.example/mcp", "bash -c 'npx a'", "wsl -d a -- npx b",
	} {
		for _, text := range append(damaged(text), text) {
			f.Add(text)
		}
	}
	sys := disk{"/work/a.py": "", "/work/p/package.json": "{}"}.system("npx", "docker")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Understand(text, sys)
		var p *Problem
		switch {
		case err == nil && len(r.Servers) == 0:
			t.Fatalf("%q has neither a server nor a problem", text)
		case err != nil && (!errors.As(err, &p) || p.Error() == ""):
			t.Fatalf("%q: %v", text, err)
		}
		for _, s := range r.Servers {
			set := 0
			for _, v := range []string{s.Path, s.Command, s.Remote.URL} {
				if v != "" {
					set++
				}
			}
			if set != 1 {
				t.Fatalf("%q starts %+v", text, s)
			}
		}
	})
}
