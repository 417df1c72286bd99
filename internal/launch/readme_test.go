package launch

import (
	"errors"
	"testing"
)

// README commands that add a server to a client mean that server, whatever the client is and however it
// writes the command.
func TestAnyClientAddsAServer(t *testing.T) {
	sys := disk{}.system(every...)
	understands(t, sys, [][2]string{
		{"grok mcp add playwright -- npx @playwright/mcp@latest", "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
		{"devin mcp add -s user excel -- uvx excel-mcp-server stdio", "uvx excel-mcp-server stdio | pypi excel-mcp-server | excel"},
		{"autohand mcp add --transport http c7 https://mcp.c7.example/mcp", "https://mcp.c7.example/mcp | web mcp.c7.example | c7"},
		{"autohand mcp add jira env \\\n  JIRA_URL=https://jira.example \\\n  JIRA_API_TOKEN=your_api_token \\\n  uvx mcp-atlassian", "uvx mcp-atlassian JIRA_URL=https://jira.example JIRA_API_TOKEN?your_api_token | pypi mcp-atlassian | jira"},
		{`droid mcp add playwright "npx @playwright/mcp@latest"`, "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
		{`droid mcp add c7 "npx -y @upstash/context7-mcp" --env CONTEXT7_API_KEY=YOUR_API_KEY`, "npx -y @upstash/context7-mcp CONTEXT7_API_KEY?YOUR_API_KEY | npm @upstash/context7-mcp | c7"},
		{`amp mcp add c7 --header "Authorization=Bearer YOUR_API_KEY" https://mcp.c7.example/mcp`, "https://mcp.c7.example/mcp Authorization?Bearer YOUR_API_KEY | web mcp.c7.example | c7"},
		{`claude mcp add --transport http c7 https://mcp.c7.example/mcp --header "X-Query: a=b"`, "https://mcp.c7.example/mcp X-Query=a=b | web mcp.c7.example | c7"},
		{`goose session --with-extension "FS_KEY=k npx -y fs-mcp"`, "npx -y fs-mcp FS_KEY=k | npm fs-mcp | fs"},
		{`goose run --with-streamable-http-extension https://mcp.c7.example/mcp -t hello`, "https://mcp.c7.example/mcp | web mcp.c7.example | c7"},
		{"/mcp add playwright npx @playwright/mcp@latest", "npx @playwright/mcp@latest | npm @playwright/mcp | playwright"},
		{"/mcp add", `error: The command "/mcp add" sets up another program`},
		{"/plugin marketplace add acme/fs\n/plugin install fs", `error: The command "/plugin marketplace add acme/fs" sets up another program`},
		{"claude plugin marketplace add acme/fs\nclaude mcp add fs -- npx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
	})
}

// A command that installs, builds, tests or configures is not a server. A server in the lines below it
// is found.
func TestCommandsThatStartNoServer(t *testing.T) {
	sys := disk{}.system(append([]string{"npm", "rm", "mcp"}, every...)...)
	setsUp := func(command string) string {
		return `error: The command "` + command + `" sets up another program`
	}
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	installs := func(command string) string {
		return `error: The command "` + command + `" installs a server but does not start it`
	}
	starts := func(command string) string {
		return `error: The command "` + command + `" starts no server for goated`
	}
	understands(t, sys, [][2]string{
		{"npx @wonderwhy-er/desktop-commander@latest setup", setsUp("npx @wonderwhy-er/desktop-commander@latest setup")},
		{"npx @magicuidesign/cli@latest install <client>", setsUp("npx @magicuidesign/cli@latest install <client>")},
		{"npx @michaellatman/mcp-get@latest install fs-mcp", setsUp("npx @michaellatman/mcp-get@latest install fs-mcp")},
		{"uvx fs-mcp install", setsUp("uvx fs-mcp install")},
		{"mcp install server.py", setsUp("mcp install server.py")},
		{"npx playwright install\nnpx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
		{"pnpm test", starts("pnpm test")},
		{"pnpm build:watch", starts("pnpm build:watch")},
		{"npm run test:coverage", starts("npm run test:coverage")},
		{"uv run pytest -v tests", starts("uv run pytest -v tests")},
		{"rm -rf ~/.mcp-auth", starts("rm -rf /home/ada/.mcp-auth")},
		{"dotnet dev-certs https --trust", starts("dotnet dev-certs https --trust")},
		{"dotnet sln add A/A.csproj\ndotnet run --project A/A.csproj", "dotnet run --project A/A.csproj | file /work/A/A.csproj | A !0 dotnet !10 /work/A/A.csproj"},
		{"go env -w GOPROXY=https://proxy.example,direct\ngo version", starts("go env -w GOPROXY=https://proxy.example,direct")},
		{"node -v", starts("node -v")},
		{"npm audit\nnpx -y fs-mcp", fs},
		{"code ~/.config/fs/config.json", starts("code /home/ada/.config/fs/config.json")},
		{"claude --plugin-dir ./fs", starts("claude --plugin-dir ./fs")},
		{"npx skills add acme/fs-mcp", starts("npx skills add acme/fs-mcp")},
		{"uvx fs-mcp --help", starts("uvx fs-mcp --help")},
		{"npx @acme/fs-mcp auth", starts("npx @acme/fs-mcp auth")},
		{"uvx fs-mcp --help\nuvx fs-mcp --port 1", "uvx fs-mcp --port 1 | pypi fs-mcp | fs"},
		{"curl -LsSf https://acme.example/install.sh | sh", `error: The command "curl -LsSf https://acme.example/install.sh" loads something but starts no server`},
		{"# macOS / Linux\ncurl -LsSf https://acme.example/install.sh | sh\n\n# Windows (PowerShell)\npowershell -ExecutionPolicy ByPass -c \"irm https://acme.example/install.ps1 | iex\"\n\nnpx -y fs-mcp", fs},
		{"echo \"token xaat-your-api-token\" > config.txt\nnpx -y fs-mcp", fs},
		{"which npx &>/dev/null && npx -y fs-mcp", fs},
		{"docker ps | grep fs-mcp", starts("docker ps")},
		{"sudo -u ada --group=staff npx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs !2 sudo"},
		{"sudo dpkg -i fs-mcp.deb\nnpx -y fs-mcp", fs},
		{"uv venv\nsource .venv/bin/activate\n.venv\\Scripts\\activate  # on Windows\nuvx fs-mcp", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"npx -y create-fs-app@latest", starts("npx -y create-fs-app@latest")},
		{"mix igniter.install fs", starts("mix igniter.install fs")},
		{"gem install fs-mcp", installs("gem install fs-mcp")},
		{"npx -y fs-mcp | tee log", "error: Only a shell understands |"},
		{"sudo apt-get install pandoc\nuvx mcp-pandoc", "uvx mcp-pandoc | pypi mcp-pandoc | pandoc"},
		{"pip install uv\nuv --version\nuvx fs-mcp", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"uv python install 3.14\nuv sync\nuvx fs-mcp", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"npm run start", "npm run start in /work | file /work | work !10 /work"},
		{"npx -y @modelcontextprotocol/server-filesystem /work", "npx -y @modelcontextprotocol/server-filesystem /work | npm @modelcontextprotocol/server-filesystem | filesystem"},
	})
	_, err := Understand("npx -y @wonderwhy-er/desktop-commander@latest setup", sys)
	if p := (*Problem)(nil); !errors.As(err, &p) || p.Detail != "npx -y @wonderwhy-er/desktop-commander@latest" {
		t.Errorf("the command of the server itself is not named: %+v", p)
	}
}

// A program from a package that an earlier line installs is started from that package. A program that
// is missing does not affect an earlier command that does the same.
func TestProgramsOfInstalledPackages(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{"pip install markitdown-mcp\nmarkitdown-mcp", "uvx markitdown-mcp | pypi markitdown-mcp | markitdown"},
		{"pip install office-word-mcp-server\nword_mcp_server --all", "uvx --from office-word-mcp-server word_mcp_server --all | pypi office-word-mcp-server | office-word"},
		{"uv tool install pdf-mcp\nclaude mcp add pdf -- pdf-mcp", "uvx pdf-mcp | pypi pdf-mcp | pdf"},
		{"uv tool install pdf-mcp     # or: pipx install pdf-mcp\nclaude mcp add pdf-mcp -- pdf-mcp", "uvx pdf-mcp | pypi pdf-mcp | pdf-mcp"},
		{"npm install -g @acme/fs-mcp && fs-mcp /work", "npx -y --package @acme/fs-mcp fs-mcp /work | npm @acme/fs-mcp | fs"},
		{"npx fs-mcp --port 1\n# Or after global installation\nfs-server --port 1", `npx fs-mcp --port 1 | npm fs-mcp | fs !9 "fs-server" is neither a program on this computer nor a path`},
		{"fs-server --port 1", `error: "fs-server" is neither a program on this computer nor a path`},
	})
}

// READMEs contain configurations and links as people write them: incomplete, quoted, and with values to
// choose from. The user is asked for what they leave open.
func TestConfigurationsOfREADMEs(t *testing.T) {
	entry := `"fs": {"command": "npx", "args": ["-y", "fs-mcp"]}`
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	understands(t, disk{}.system(every...), [][2]string{
		{`{"github.copilot.chat.mcp.servers": {` + entry + `}}`, fs},
		{`"augment.mcpServers": {` + entry + `}`, fs},
		{`{"mcpServers": {"heroku": {"command": "heroku mcp:start"}}}`, "heroku mcp:start | installed heroku | heroku !0 heroku"},
		{"> [mcp_servers.fs]\n> command = \"npx\"\n> args = [\n>   \"-y\",\n>   \"fs-mcp\"\n> ]", fs},
		{"> ```json\n> {\n>   " + entry + "\n> }\n> ```", fs},
		{"...\n\"command\": \"npx\",\n\"args\": [\"-y\", \"fs-mcp\"],\n...", fs},
		{`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"], "env": {"SSL": True|False, "PORT": 1}}}}`, "npx -y fs-mcp PORT=1 SSL?True|False | npm fs-mcp | fs"},
		{`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"], "env": {"CLUSTERS": "{\"api_key\": \"<PROD_API_KEY>\"}"}}}}`, `npx -y fs-mcp CLUSTERS?{"api_key": "${input:api_key}"} | npm fs-mcp | fs`},
		{`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"], "env": {"HEADERS": "{\"Authorization\": \"Bearer ntn_****\", \"Version\": \"2022-06-28\" }"}}}}`, `npx -y fs-mcp HEADERS?{"Authorization": "Bearer ${input:Authorization}", "Version": "2022-06-28" } | npm fs-mcp | fs`},
		{`{"mcpServers": {"db": {"command": "uvx", "args": ["db-mcp"], "env": {"DB_URL": "sqlite:////absolute/path/to/database.db"}}}}`, "uvx db-mcp DB_URL?sqlite:////absolute/path/to/database.db | pypi db-mcp | db"},
		{`{"name": "firecrawl_scrape", "arguments": {"url": "https://example.com", "formats": ["markdown"]}}`, "error: This JSON names no MCP server"},
		{"https://cursor.com/deeplink/mcp-install-dark.svg", "error: https://cursor.com/deeplink/mcp-install-dark.svg is a page about a server, not a server on the web"},
		{"https://mcp.firecrawl.example/{FIRECRAWL_API_KEY}/v2/mcp", "https://mcp.firecrawl.example/{FIRECRAWL_API_KEY}/v2/mcp | web mcp.firecrawl.example | firecrawl !1 https://mcp.firecrawl.example/{FIRECRAWL_API_KEY}/v2/mcp"},
		{"npx -y @stripe/mcp --api-key=STRIPE_SECRET_KEY", "npx -y @stripe/mcp --api-key=STRIPE_SECRET_KEY | npm @stripe/mcp | stripe !1 --api-key=STRIPE_SECRET_KEY"},
		{"npx -y @stripe/mcp --api-key STRIPE_SECRET_KEY", "npx -y @stripe/mcp --api-key STRIPE_SECRET_KEY | npm @stripe/mcp | stripe !1 STRIPE_SECRET_KEY"},
		{"npx -y some-mcp --token TOKEN --auth token", "npx -y some-mcp --token TOKEN --auth token | npm some-mcp | some !1 TOKEN"},
		{"npx -y some-mcp --token-env APP_TOKEN --key-name LOGIN_KEY", "npx -y some-mcp --token-env APP_TOKEN --key-name LOGIN_KEY | npm some-mcp | some"},
		{"npx @sentry/mcp-server@latest --access-token=TOKEN", "npx @sentry/mcp-server@latest --access-token=TOKEN | npm @sentry/mcp-server | sentry !1 --access-token=TOKEN"},
		{"npx @playwright/mcp@latest --storage-state={path/to/storage.json}", "npx @playwright/mcp@latest --storage-state={path/to/storage.json} | npm @playwright/mcp | playwright !1 --storage-state={path/to/storage.json}"},
		{"docker run -i --rm mcr.microsoft.com/playwright/mcp", "docker run -i --rm mcr.microsoft.com/playwright/mcp | container mcr.microsoft.com/playwright/mcp | playwright"},
		{"uv run --with 'click-mcp[db]' --python 3.12 click-mcp", "uv run --with click-mcp[db] --python 3.12 click-mcp | pypi click-mcp | click"},
		{"uv run --with requests fs-mcp", "uv run --with requests fs-mcp | installed fs-mcp | fs"},
		{"[![Install](https://a.example/b.svg)](https://vscode.dev/redirect/mcp/install?name=fs&note=a%20(b)&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22fs-mcp%22%5D%7D)", fs},
	})
}
