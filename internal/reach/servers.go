//go:build linux

package main

// A server is one row: the command with which its README starts it, and a call. Names in braces are
// placeholders, see [world.fill].
type server struct {
	name string
	line string   // the command in its README; readmes has everything else that the README offers to paste
	test string   // how `make test` starts the copy in .tools; empty if it does not
	env  []string // the user's values that the README leaves out
	dir  string   // working directory; empty means an empty folder
	// proxied means that the server contacts a fixed host on the Internet. Its environment then
	// contains a company's proxy, which responds in place of that host.
	proxied bool
	tool    string
	args    map[string]any
	want    string // in the result
}

// obj is a tool's arguments.
type obj = map[string]any

// servers are popular servers that the registries offer.
var servers = []server{
	{name: "everything", line: "npx -y @modelcontextprotocol/server-everything", test: "npx -y @modelcontextprotocol/server-everything", tool: "get-sum", args: obj{"a": 2, "b": 3}, want: "5"},
	{name: "filesystem", line: "npx -y @modelcontextprotocol/server-filesystem {dir}", test: "npx -y @modelcontextprotocol/server-filesystem {dir}", tool: "read_text_file", args: obj{"path": "{dir}/note.txt"}, want: "Buy milk"},
	{name: "sequential-thinking", line: "npx -y @modelcontextprotocol/server-sequential-thinking", test: "{bin}/mcp-server-sequential-thinking", tool: "sequentialthinking", args: obj{"thought": "First.", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": false}, want: "thoughtNumber"},
	{name: "memory", line: "npx -y @modelcontextprotocol/server-memory", test: "{bin}/mcp-server-memory", tool: "create_entities", args: obj{"entities": []any{obj{"name": "Whiskers", "entityType": "cat", "observations": []any{"grey"}}}}, want: "Whiskers"},
	{name: "n8n", line: "npx -y n8n-mcp", env: []string{"MCP_MODE=stdio", "LOG_LEVEL=error", "DISABLE_CONSOLE_OUTPUT=true"}, tool: "search_nodes", args: obj{"query": "webhook"}, want: "ebhook"},
	{name: "time", line: "uvx mcp-server-time", test: "mcp-server-time", tool: "get_current_time", args: obj{"timezone": "Europe/Berlin"}, want: "Europe/Berlin"},
	{name: "mcp-remote", line: "npx -y mcp-remote {url}/mcp", test: "{bin}/mcp-remote {url}/mcp", tool: "greet", want: "hello from afar"},
	{name: "context7", line: "npx -y @upstash/context7-mcp --api-key none", env: []string{"CONTEXT7_API_URL={url}"}, tool: "resolve-library-id", args: obj{"query": "how cats purr", "libraryName": "whiskers"}, want: "/cats/whiskers"},
	{name: "tavily", line: "npx -y tavily-mcp@latest", env: []string{"TAVILY_API_KEY=tvly-none"}, proxied: true, tool: "tavily_search", args: obj{"query": "cats"}, want: "Nine lives"},
	{name: "firecrawl", line: "npx -y firecrawl-mcp", env: []string{"FIRECRAWL_API_KEY=fc-none", "FIRECRAWL_API_URL={url}"}, tool: "firecrawl_scrape", args: obj{"url": "https://cats.example/", "formats": []any{"markdown"}}, want: "Nine lives"},
	{name: "antv-chart", line: "npx -y @antv/mcp-server-chart", env: []string{"VIS_REQUEST_SERVER={url}/chart"}, tool: "generate_bar_chart", args: obj{"data": []any{obj{"category": "cats", "value": 9}}}, want: "whiskers.png"},
	{name: "figma", line: "npx -y figma-developer-mcp --figma-api-key=none --stdio", env: []string{"FIGMA_PROXY={url}"}, proxied: true, tool: "get_figma_data", args: obj{"fileKey": "abc123"}, want: "Whiskers"},
	{name: "fetch", line: "uvx mcp-server-fetch --ignore-robots-txt --allow-private-ips", tool: "fetch", args: obj{"url": "{url}/"}, want: "Nine lives"},
	{name: "arxiv", line: "uvx arxiv-mcp-server", tool: "list_papers", want: "papers"},
	{name: "duckduckgo", line: "uvx duckduckgo-mcp-server", env: []string{"DDG_ALLOW_PRIVATE_URLS=1"}, tool: "fetch_content", args: obj{"url": "{url}/"}, want: "Nine lives"},
	{name: "aws-docs", line: "uvx awslabs.aws-documentation-mcp-server@latest", env: []string{"FASTMCP_LOG_LEVEL=ERROR"}, proxied: true, tool: "read_documentation", args: obj{"url": "https://docs.aws.amazon.com/cats/latest/userguide/whiskers.html"}, want: "Nine lives"},
	{name: "blender", line: "uvx blender-mcp", env: []string{"BLENDER_HOST=127.0.0.1", "BLENDER_PORT={blender}"}, tool: "get_scene_info", want: "Whiskers"},
	{name: "excel", line: "uvx excel-mcp-server stdio --allow-dir {work}", tool: "create_workbook", args: obj{"path": "{work}/book.xlsx"}, want: "book.xlsx"},
	{name: "qdrant", line: "uvx mcp-server-qdrant", env: []string{"QDRANT_LOCAL_PATH={work}/qdrant", "COLLECTION_NAME=cats", "HF_ENDPOINT={url}"}, tool: "qdrant-store", args: obj{"information": "Whiskers purrs"}, want: "Whiskers"},
	{name: "jupyter", line: "uvx jupyter-mcp-server@latest", env: []string{"JUPYTER_URL={url}", "JUPYTER_TOKEN=none"}, tool: "list_files", want: "whiskers.ipynb"},
	{name: "git", line: "uvx mcp-server-git --repository {repo}", test: "mcp-server-git --repository {repo}", tool: "git_log", args: obj{"repo_path": "{repo}"}, want: "The first commit"},
	{name: "sqlite", line: "uvx --with mcp<2 mcp-server-sqlite --db-path {db}", test: "mcp-server-sqlite --db-path {db}", tool: "write_query", args: obj{"query": "insert into cats values('Tom')"}, want: "affected_rows"},
	{name: "sqlite-new", line: "uvx --with mcp<2 mcp-server-sqlite --db-path={new}", test: "mcp-server-sqlite --db-path={new}", tool: "create_table", args: obj{"query": "create table t(a int)"}, want: "created"},
	{name: "markitdown", line: "uvx markitdown-mcp", tool: "convert_to_markdown", args: obj{"uri": "file://{dir}/note.txt"}, want: "Buy milk"},
	{name: "github", line: "npx -y @modelcontextprotocol/server-github", test: "{bin}/mcp-server-github", env: []string{"GITHUB_PERSONAL_ACCESS_TOKEN=none"}, proxied: true, tool: "search_code", args: obj{"q": "whiskers"}, want: "whiskers.go"},
	{name: "brave-search", line: "npx -y @modelcontextprotocol/server-brave-search", test: "{bin}/mcp-server-brave-search", env: []string{"BRAVE_API_KEY=none"}, proxied: true, tool: "brave_web_search", args: obj{"query": "cats"}, want: "Nine lives"},
	{name: "sentry", line: "npx @sentry/mcp-server@latest --access-token=none --host={addr} --insecure-http", tool: "find_organizations", want: "cats.example"},
	{name: "supabase", line: "npx -y @supabase/mcp-server-supabase@latest --access-token=none --api-url={url} --content-api-url={url}/docs/api/graphql", tool: "list_organizations", want: "Whiskers"},
	{name: "desktop-commander", line: "npx -y @wonderwhy-er/desktop-commander@latest", tool: "read_file", args: obj{"path": "{dir}/note.txt"}, want: "Buy milk"},
	{name: "mongodb", line: "npx -y mongodb-mcp-server", env: []string{"MDB_MCP_CONNECTION_STRING=mongodb://127.0.0.1:{mongo}/?directConnection=true"}, tool: "list-databases", args: obj{"connectionId": "preconfigured"}, want: "whiskers"},
	{name: "ea-playwright", line: "npx -y @executeautomation/playwright-mcp-server", tool: "playwright_get", args: obj{"url": "{url}/"}, want: "Nine lives"},
	{name: "playwright", line: "npx -y @playwright/mcp@latest --headless --executable-path {chromium}", tool: "browser_navigate", args: obj{"url": "{url}/"}, want: "Stand-in"},
	{name: "chrome-devtools", line: "npx -y chrome-devtools-mcp@latest --headless --isolated --executablePath {chromium}", tool: "new_page", args: obj{"url": "{url}/"}, want: "{url}"},
	{name: "kubernetes", line: "npx mcp-server-kubernetes", env: []string{"KUBECONFIG={kube}"}, tool: "kubectl_context", args: obj{"operation": "list"}, want: "basket"},
	{name: "notion", line: "npx -y @notionhq/notion-mcp-server", env: []string{"NOTION_TOKEN=none", "BASE_URL={url}"}, tool: "API-get-self", want: "Whiskers"},
	{name: "exa", line: "npx -y exa-mcp-server", test: "{bin}/exa-mcp-server", env: []string{"EXA_API_KEY=none"}, proxied: true, tool: "web_search_exa", args: obj{"query": "cats"}, want: "Nine lives"},
	{name: "office-word", line: "uvx --from office-word-mcp-server word_mcp_server", tool: "create_document", args: obj{"filename": "{work}/letter.docx"}, want: "letter.docx"},
}
