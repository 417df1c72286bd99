package launch

import "testing"

// The code in a part of a README counts, whatever surrounds it.
func TestProseAroundCode(t *testing.T) {
	sys := disk{}.system(every...)
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	for _, c := range []struct{ text, want string }{
		{"Start it like this:\n\n```bash\nnpx -y fs-mcp\n```\n\nThen restart.", fs},
		{"## Install\n\nIt's easy:\n\n```sh\nnpm install -g fs-mcp\n```\n\n```sh\nnpx -y fs-mcp\n```\n", fs},
		{"1. Do this:\n\n   ```\n   npx -y fs-mcp\n   ```", fs},
		{"```\nnpm install\n```\nand then\n```\nnpx -y fs-mcp\n```", fs},
		{"Add this to claude_desktop_config.json:\n{\"mcpServers\": {\"fs\": {\"command\": \"npx\", \"args\": [\"-y\", \"fs-mcp\"]}}}\nDon't forget to restart.", fs},
		{"Configuration:\n\n{\n  \"mcpServers\": {\"fs\": {\"command\": \"npx\", \"args\": [\"-y\", \"fs-mcp\"]}}\n}", fs},
		{`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"]}}} Now restart it.`, fs},
		{`Set {name} first. Then use {"command": "npx", "args": ["-y", "fs-mcp"]}.`, fs},
		{"Run `npx -y fs-mcp` in a terminal.", fs},
		{"You need `node`. Run ``npx -y fs-mcp``.", fs},
		{"- Run `npx -y fs-mcp`", fs},
		{"[the server](https://a.example/mcp)", "https://a.example/mcp | web a.example | a"},
		{"Connect to [Acme](https://a.example/mcp), see [the docs](https://docs.example/help).", "https://a.example/mcp | web a.example | a"},
		{"Use <https://a.example/sse> for it.", "https://a.example/sse (sse) | web a.example | a"},
		{`[![Install](https://img.example/mcp.svg)](https://vscode.dev/redirect/mcp/install?name=fs&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22fs-mcp%22%5D%7D)`, fs},
	} {
		r, err := Understand(c.text, sys)
		if err != nil {
			t.Errorf("%s\n is a problem: %v", c.text, err)
			continue
		}
		if c.want == fs {
			r.Servers[0].Name = "fs"
		} else {
			r.Servers[0].Name = "a"
		}
		if got := shown(r.Servers[0]); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	for _, text := range []string{"You need `node`.", "See [the docs](https://docs.example/help).", "Set {\"name\": 1} first."} {
		if r, err := Understand(text, sys); err == nil {
			t.Errorf("%s is taken for %s", text, shown(r.Servers[0]))
		}
	}
}
