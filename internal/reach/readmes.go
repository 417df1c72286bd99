//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/internal/launch"
)

// readmes holds the text that a server's README offers to paste, if it is more than a command line:
// JSON, a command of another client, or lines for a terminal. The values come from the READMEs, so
// they are placeholders for the reader's values.
var readmes = map[string]string{
	"everything":          `{"mcpServers": {"everything": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"]}}}`,
	"filesystem":          `{"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/username/Desktop", "/path/to/other/allowed/dir"]}}}`,
	"sequential-thinking": `{"mcpServers": {"sequential-thinking": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}}}`,
	"memory":              `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}`,
	"time":                `{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}`,
	"fetch":               `{"mcpServers": {"fetch": {"command": "uvx", "args": ["mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"]}}}`, // with its two customizations
	"git":                 `"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git", "--repository", "path/to/git/repo"]}}`,
	"github":              `{"mcpServers": {"github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"], "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>"}}}}`,
	"gitlab":              `{"mcpServers": {"gitlab": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-gitlab"], "env": {"GITLAB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>", "GITLAB_API_URL": "https://gitlab.com/api/v4"}}}}`,
	"brave-search":        `{"mcpServers": {"brave-search": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-brave-search"], "env": {"BRAVE_API_KEY": "YOUR_API_KEY_HERE"}}}}`,
	"mcp-remote":          `{"mcpServers": {"remote-example": {"command": "npx", "args": ["mcp-remote", "https://remote.mcp.server/sse", "--header", "Authorization: Bearer ${AUTH_TOKEN}"], "env": {"AUTH_TOKEN": "..."}},}}`,
	"antv-chart":          `{"mcpServers": {"mcp-server-chart": {"command": "npx", "args": ["-y", "@antv/mcp-server-chart"], "env": {"VIS_REQUEST_SERVER": "<YOUR_VIS_REQUEST_SERVER>"}}}}`,
	"notion":              `{"mcpServers": {"notionApi": {"command": "npx", "args": ["-y", "@notionhq/notion-mcp-server"], "env": {"NOTION_TOKEN": "ntn_****"}}}}`,
	"arxiv":               `{"mcpServers": {"arxiv": {"command": "uvx", "args": ["arxiv-mcp-server"]}}}`,
	"blender":             "claude mcp add blender uvx blender-mcp",
	"aws-docs":            `{"mcpServers": {"awslabs.aws-documentation-mcp-server": {"command": "uvx", "args": ["awslabs.aws-documentation-mcp-server@latest"], "env": {"FASTMCP_LOG_LEVEL": "ERROR", "AWS_DOCUMENTATION_PARTITION": "aws"}, "disabled": false, "autoApprove": []}}}`,
	"mongodb":             `{"mcpServers": {"MongoDB": {"command": "npx", "args": ["-y", "mongodb-mcp-server@latest", "--readOnly"], "env": {"MDB_MCP_CONNECTION_STRING": "mongodb+srv://username:password@cluster.mongodb.net/myDatabase"}}}}`,
	"context7":            `{"mcpServers": {"context7": {"command": "npx", "args": ["-y", "@upstash/context7-mcp", "--api-key", "YOUR_API_KEY"]}}}`,
	"tavily":              `{"mcpServers": {"tavily-mcp": {"command": "npx", "args": ["-y", "tavily-mcp@latest"], "env": {"TAVILY_API_KEY": "your-api-key-here", "DEFAULT_PARAMETERS": "{\"include_images\": true, \"max_results\": 15, \"search_depth\": \"advanced\"}"}}}}`,
	"figma":               `{"mcpServers": {"Framelink MCP for Figma": {"command": "cmd", "args": ["/c", "npx", "-y", "figma-developer-mcp", "--figma-api-key=YOUR-KEY", "--stdio"]}}}`,
	"duckduckgo":          `{"mcpServers": {"ddg-search": {"command": "uvx", "args": ["duckduckgo-mcp-server"]}}}`,
	"excel":               "claude mcp add excel --scope user -- uvx excel-mcp-server stdio --allow-dir /path/to/workbooks",
	"jupyter":             `{"mcpServers": {"jupyter": {"command": "uvx", "args": ["jupyter-mcp-server@latest"], "env": {"JUPYTER_URL": "http://localhost:8888", "JUPYTER_TOKEN": "MY_TOKEN", "ALLOW_IMG_OUTPUT": "true"}}}}`,
	"markitdown":          "pip install markitdown-mcp\nmarkitdown-mcp",
	"office-word":         `{"mcpServers": {"word-document-server": {"command": "uvx", "args": ["--from", "office-word-mcp-server", "word_mcp_server"]}}}`,
	"sentry":              "npx @sentry/mcp-server@latest --access-token=TOKEN --host=sentry.example.com --disable-skills=seer",
	"supabase":            `{"mcpServers": {"supabase": {"command": "npx", "args": ["-y", "@supabase/mcp-server-supabase@latest", "--access-token", "<personal-access-token>"]}}}`,
	"desktop-commander":   "claude mcp add --scope user desktop-commander -- npx -y @wonderwhy-er/desktop-commander@latest",
	"ea-playwright":       "# For VS Code\ncode --add-mcp '{\"name\":\"playwright\",\"command\":\"npx\",\"args\":[\"@executeautomation/playwright-mcp-server\"]}'",
	"kubernetes":          "vscode:mcp/install?%7B%22name%22%3A%20%22kubernetes%22%2C%20%22type%22%3A%20%22stdio%22%2C%20%22command%22%3A%20%22npx%22%2C%20%22args%22%3A%20%5B%22mcp-server-kubernetes%22%5D%7D",
	"sqlite":              `{"mcp": {"inputs": [{"type": "promptString", "id": "db_path", "description": "SQLite Database Path", "default": "${workspaceFolder}/db.sqlite"}], "servers": {"sqlite": {"command": "uvx", "args": ["mcp-server-sqlite", "--db-path", "${input:db_path}"]}}}}`,
	"firecrawl":           `{"mcp": {"inputs": [{"type": "promptString", "id": "apiKey", "description": "Firecrawl API Key", "password": true}], "servers": {"firecrawl": {"command": "npx", "args": ["-y", "firecrawl-mcp"], "env": {"FIRECRAWL_API_KEY": "${input:apiKey}"}}}}}`,
	"motherduck":          `{"mcpServers": {"DuckDB (in-memory, r/w)": {"command": "uvx", "args": ["mcp-server-motherduck", "--db-path", ":memory:", "--read-write", "--allow-switch-databases"]}}}`,
	"commands":            `{"mcpServers": {"mcp-server-commands": {"command": "npx", "args": ["mcp-server-commands"]}}}`,
	"alchemy":             `{"mcpServers": {"my_sqlite_db": {"command": "uvx", "args": ["--from", "mcp-alchemy==2026.10.15.202659", "--refresh-package", "mcp-alchemy", "mcp-alchemy"], "env": {"DB_URL": "sqlite:////absolute/path/to/database.db"}}}}`,
	"pdf-mcp":             "uv tool install pdf-mcp     # or: pipx install pdf-mcp\nclaude mcp add pdf-mcp -- pdf-mcp",
	"qdrant": `{"mcp": {"inputs": [{"type": "promptString", "id": "qdrantUrl", "description": "Qdrant URL"}, {"type": "promptString", "id": "qdrantApiKey", "description": "Qdrant API Key", "password": true}, {"type": "promptString", "id": "collectionName", "description": "Collection Name"}],` +
		`"servers": {"qdrant": {"command": "uvx", "args": ["mcp-server-qdrant"], "env": {"QDRANT_URL": "${input:qdrantUrl}", "QDRANT_API_KEY": "${input:qdrantApiKey}", "COLLECTION_NAME": "${input:collectionName}"}}}}}`,
}

// configOf returns the configuration of a row. It pastes the README like a user, and enters the
// row's values where the README leaves them out. Arguments that are placeholders in the README come
// from line. The README of exa has only a URL, the one of n8n has only links, and the one of
// supabase is in its repository.
func (w *world) configOf(s server, line string, pasted bool) (client.Config, error) {
	if words := strings.Fields(w.fill(line)); !pasted {
		c := client.Config{Command: words[0], Args: words[1:]}
		for _, e := range s.env {
			c.Env = append(c.Env, w.fill(e))
		}
		return c, nil
	}
	text := readmes[s.name]
	if text == "" {
		text = config.Quoted(strings.Fields(w.fill(line)))
	}
	sys := launch.Here(nil)
	r, err := launch.Understand(text, sys)
	if err != nil {
		return client.Config{}, fmt.Errorf("goated does not understand its README: %w", err)
	}
	one := r.Servers[0]
	if slices.ContainsFunc(one.Notes, func(n launch.Note) bool { return n.Kind == launch.Placeholder || n.Kind == launch.Bridge }) || len(one.Asks(r.Inputs)) > 0 {
		own, err := launch.Understand(config.Quoted(strings.Fields(w.fill(line))), sys)
		if err != nil {
			return client.Config{}, err
		}
		one.Args, one.Command = own.Servers[0].Args, own.Servers[0].Command
	}
	c := client.Config{Command: one.Command, Args: one.Args}
	for _, v := range one.Env {
		if !v.Ask {
			c.Env = append(c.Env, v.Name+"="+v.Value)
		}
	}
	for _, e := range s.env { // the last value for a name counts
		c.Env = append(c.Env, w.fill(e))
	}
	return c, nil
}
