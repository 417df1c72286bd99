//go:build linux

package main

// further are popular servers in addition to the 37 of the first table. They reveal faults that the
// others do not.
var further = []server{
	{name: "calculator", line: "uvx mcp-server-calculator", tool: "calculate", args: obj{"expression": "6*7"}, want: "42"},
	{name: "obsidian", line: "npx -y mcp-obsidian {dir}", tool: "search_notes", args: obj{"query": "list"}, want: "list.md"},
	{name: "repomix", line: "npx -y repomix --mcp", tool: "pack_codebase", args: obj{"directory": "{dir}"}, want: "outputId"},
	{name: "searxng", line: "npx -y mcp-searxng", env: []string{"SEARXNG_URL={url}"}, tool: "searxng_web_search", args: obj{"query": "cats"}, want: "Nine lives"},
	{name: "text-editor", line: "uvx mcp-text-editor", tool: "get_text_file_contents", args: obj{"files": []any{obj{"file_path": "/etc/hosts", "ranges": []any{obj{"start": 1}}}}}, want: "localhost"},
	{name: "airtable", line: "npx -y airtable-mcp-server", env: []string{"AIRTABLE_API_KEY=pat-none"}, proxied: true, tool: "list_bases", want: "Whiskers"},
	{name: "gitlab", line: "npx -y @modelcontextprotocol/server-gitlab", env: []string{"GITLAB_PERSONAL_ACCESS_TOKEN=none", "GITLAB_API_URL={url}/api/v4"}, tool: "search_repositories", args: obj{"search": "whiskers"}, want: "whiskers"},
	{name: "shell", line: "uvx mcp-shell-server", env: []string{"ALLOW_COMMANDS=echo"}, tool: "shell_execute", args: obj{"command": []any{"echo", "purr"}, "directory": "/tmp"}, want: "purr"},
	{name: "code-index", line: "uvx code-index-mcp", tool: "set_project_path", args: obj{"path": "{dir}"}, want: "files"},
	{name: "wikipedia", line: "uvx wikipedia-mcp", proxied: true, tool: "search_wikipedia", args: obj{"query": "cats"}, want: "Whiskers"},
	{name: "git-cyanheads", line: "npx -y @cyanheads/git-mcp-server", tool: "git_log", args: obj{"path": "{repo}"}, want: "The first commit"},
	{name: "powerpoint", line: "uvx --from office-powerpoint-mcp-server ppt_mcp_server", tool: "create_presentation", want: "presentation_1"},
	{name: "pdf-reader", line: "npx @sylphx/pdf-reader-mcp", tool: "read_pdf", args: obj{"sources": []any{obj{"path": "{dir}/note.pdf"}}, "include_full_text": true}, want: "Whiskers"},
	{name: "motherduck", line: "uvx mcp-server-motherduck --db-path :memory: --read-write --allow-switch-databases", tool: "execute_query", args: obj{"sql": "select 6*7"}, want: "42"},
	{name: "commands", line: "npx mcp-server-commands", tool: "run_command", args: obj{"command": "echo purr"}, want: "purr"},
	{name: "alchemy", line: "uvx --from mcp-alchemy==2026.10.15.202659 --refresh-package mcp-alchemy mcp-alchemy", env: []string{"DB_URL=sqlite:///{db}"}, tool: "execute_query", args: obj{"query": "select 6*7"}, want: "42"},
	{name: "dbhub", line: "npx @bytebase/dbhub@latest --transport stdio --demo", tool: "execute_sql", args: obj{"sql": "select 6*7 as n"}, want: "42"},
	{name: "tree-sitter", line: "uvx mcp-server-tree-sitter", tool: "list_languages", want: "python"},
	{name: "pdf-mcp", line: "uvx pdf-mcp", tool: "pdf_info", args: obj{"path": "{dir}/note.pdf"}, want: "page"},
}
