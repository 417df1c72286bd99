package launch

import "testing"

// The computer of the README's writer has other folders and other programs.
func TestProgramsOfOtherComputers(t *testing.T) {
	understands(t, disk{}.system("npx", "node", "claude", "mcp-server-time"), [][2]string{
		{`{"mcpServers": {"fs": {"command": "/opt/homebrew/bin/uvx", "args": ["fs-mcp"]}}}`, "uvx fs-mcp | pypi fs-mcp | fs !0 uvx"},
		{"/Users/ada/.local/bin/uv run --with fs-mcp fs-mcp", "uv run --with fs-mcp fs-mcp | pypi fs-mcp | fs !0 uv"},
		{`{"mcpServers": {"fs": {"command": "/opt/homebrew/bin/mcp-server-time", "args": ["x"]}}}`, "mcp-server-time x | installed mcp-server-time | fs"},
		{"/Users/ann/.local/bin/mcp-server-time --x", "mcp-server-time --x | installed mcp-server-time | time"},
		{"/srv/bin/mcp-server-time --x", "error: Server script not found: /srv/bin/mcp-server-time"},
		{`{"mcpServers": {"fs": {"command": "/path/to/.venv/bin/python", "args": ["-m", "fs"]}}}`, "${input:path.path.to.__2Evenv.bin.python} -m fs | file /path/to/.venv/bin/python | fs"},
		{`{"mcpServers": {"fs": {"command": "node", "args": ["C:/path/to/fs/dist/index.js"]}}}`, "node C:/path/to/fs/dist/index.js | file C:/path/to/fs/dist/index.js | fs !1 C:/path/to/fs/dist/index.js"},
		{`node "C:\Program Files\Acme 9\files.js"`, `node C:\Program Files\Acme 9\files.js | file C:\Program Files\Acme 9\files.js | files !10 C:\Program Files\Acme 9\files.js`},
		{`C:\Users\me\fs\.venv\Scripts\python.exe C:\Users\me\fs\server.py`, `${input:path.C__3A.Users.me.fs.__2Evenv.Scripts.python__2Eexe} C:\Users\me\fs\server.py | file C:\Users\me\fs\.venv\Scripts\python.exe | python !1 C:\Users\me\fs\server.py`},
		{"mise exec node@22 -- npx -y fs-mcp", "mise exec node@22 -- npx -y fs-mcp | npm fs-mcp | fs !0 mise"},
		{"bundle exec ruby bin/fs_mcp", "bundle exec ruby bin/fs_mcp | installed bundle | bundle !0 bundle"},
		{"claude mcp add r -- Rscript -e \"mcptools::mcp_server()\"", "Rscript -e mcptools::mcp_server() | installed Rscript | r !0 Rscript"},
		{`{"mcpServers": {"claude-code": {"command": "claude", "args": ["mcp", "serve"]}}}`, "claude mcp serve | installed claude | claude-code"},
	})
}
