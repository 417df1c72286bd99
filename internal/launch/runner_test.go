package launch

import "testing"

// A runner with a path used to have no package, so nothing could be installed, and its server got the
// runner's name. Other runners used to hide the name of what they run.
func TestRunners(t *testing.T) {
	sys := disk{"/usr/local/bin/npx": "#!x", "/usr/bin/env": "#!x", "/work/package.json": `{"name":"@acme/shop-mcp","scripts":{"start":"node a.js"}}`, "/srv/tool/package.json": `{"name":"tool"}`,
		"/work/shop.ts": "", "/work/shop/pay.py": ""}.system(append(every, "npm", "pnpm", "bash", "sh", "tsx")...)
	for _, c := range []struct{ text, want string }{
		{"/usr/local/bin/npx -y @acme/fs-mcp@1.2", "/usr/local/bin/npx -y @acme/fs-mcp@1.2 | npm @acme/fs-mcp 1.2 | fs"},
		{`{"mcpServers":{"x":{"command":"/opt/homebrew/bin/npx","args":["-y","fs-mcp"]}}}`, "npx -y fs-mcp | npm fs-mcp | x"},
		{`{"mcpServers":{"x":{"command":"C:\\Program Files\\nodejs\\npx.cmd","args":["-y","fs-mcp"]}}}`, "npx -y fs-mcp | npm fs-mcp | x"},
		{"/Users/ann/.local/bin/uvx mcp-server-time", "uvx mcp-server-time | pypi mcp-server-time | time"},
		{"/opt/homebrew/bin/docker run -i --rm -e K=v acme/shop", "docker run -i --rm -e K acme/shop K=v | container acme/shop | shop"},
		{"npm start", "npm start in /work | file /work | shop"},
		{"pnpm run dev", "pnpm run dev in /work | file /work | shop"},
		{"cd /srv/tool && npm run start", "npm run start in /srv/tool | file /srv/tool | tool"},
		{`{"command":"npm","args":["start"],"cwd":"/srv/tool"}`, "npm start in /srv/tool | file /srv/tool | tool"},
		{"npx tsx shop.ts", "npx tsx /work/shop.ts | npm tsx | shop"},
		{"npx -y tsx@latest ./shop.ts --fast", "npx -y tsx@latest /work/shop.ts --fast | npm tsx | shop"},
		{"uvx fastmcp run shop/pay.py:app", "uvx fastmcp run shop/pay.py:app | pypi fastmcp | pay"},
		{"uvx --from acme-tools python -m acme_shop", "uvx --from acme-tools python -m acme_shop | pypi acme-tools | acme-tools"},
		{"uv run python -m shop", "uv run python -m shop | installed shop | shop"},
		{"uv run --with mcp python shop/pay.py", "uv run --with mcp python /work/shop/pay.py | file /work/shop/pay.py | pay"},
		{"poetry run python -m acme_shop", "poetry run python -m acme_shop | installed acme_shop | acme-shop !0 poetry"},
		{`bash -c "npx -y fs-mcp"`, "bash -c npx -y fs-mcp | npm fs-mcp | fs"},
		{`bash -lc 'cd /srv && K=v exec uvx mcp-server-time'`, "bash -lc cd /srv && K=v exec uvx mcp-server-time | pypi mcp-server-time | time"},
		{`cmd /c "npx -y fs-mcp"`, "npx -y fs-mcp | npm fs-mcp | fs"},
		{"uvx --from git+https://github.com/acme/shop-mcp@v1.2 shop", "uvx --from git+https://github.com/acme/shop-mcp@v1.2 shop | git https://github.com/acme/shop-mcp v1.2 | shop"},
		{"uvx --from 'shop @ git+https://github.com/acme/shop.git#subdirectory=a' shop", "uvx --from shop @ git+https://github.com/acme/shop.git#subdirectory=a shop | git https://github.com/acme/shop | shop"},
		{"npx -y github:acme/fs-mcp#v2", "npx -y github:acme/fs-mcp#v2 | git acme/fs-mcp v2 | fs"},
		{"uvx mcp-proxy https://shop.example/sse", "uvx mcp-proxy https://shop.example/sse | pypi mcp-proxy | shop !8 https://shop.example/sse"},
	} {
		says(t, c.text, c.want, sys)
	}
	if _, err := Understand("/srv/x/.venv/bin/python -m shop", sys); err == nil {
		t.Error("the Python of an environment is replaced by another one")
	}
	for program, want := range map[string]bool{"npx": true, "/opt/bin/npx": true, `C:\x\npx.cmd`: true, "/opt/bin/shop": false} {
		if IsRunner(program) != want {
			t.Errorf("%s: %t", program, !want)
		}
	}
}
