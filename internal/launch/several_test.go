package launch

import "testing"

// A README that configures several servers named only the likeliest. A note names the others, but not
// another way to start the same server. Without prose, the user pasted all of them.
func TestSeveralConfigurations(t *testing.T) {
	const (
		fs, git = `{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs-mcp"]}}}`, `{"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}}`
		a, b    = "npx -y fs-mcp | npm fs-mcp | fs", "uvx mcp-server-git | pypi mcp-server-git | git"
	)
	block := func(text string) string { return "```json\n" + text + "\n```\n" }
	understands(t, disk{}.system(every...), [][2]string{
		{fs + "\n" + git, a + "\n" + b},
		{fs + ",\n\n" + git + "\n" + fs, a + "\n" + b},
		{block(fs) + "\n" + block(git), a + "\n" + b},
		{"First:\n" + block(fs) + "Second:\n" + block(git), a + " !12 git"},
		{"First: " + fs + "\nSecond: " + git, a + " !12 git"},
		{"First:\n" + block(fs) + "Second:\n```sh\nclaude mcp add git -- uvx mcp-server-git\n```\n", a + " !12 git"},
		{"First:\n" + block(fs) + "Or:\n" + block(`{"mcpServers": {"fs": {"command": "docker", "args": ["run", "-i", "acme/fs"]}}}`), a},
		{"First:\n" + block(fs) + "Or:\n" + block(`{"mcpServers": {"fs-docker": {"command": "docker", "args": ["run", "-i", "acme/fs"]}}}`), a},
		{"First:\n" + block(fs) + "Or:\n" + block(`{"mcpServers": {"files": {"command": "npx", "args": ["-y", "fs-mcp@latest"]}}}`), a},
		{"First:\n" + block(`{"mcpServers": {"acme-npx": {"command": "npx", "args": ["-y", "acme-mcp"]}}}`) + "Or:\n" + block(`{"mcpServers": {"mcp-acme-remote": {"url": "https://mcp.acme.example/mcp"}}}`), "npx -y acme-mcp | npm acme-mcp | acme-npx"},
		{"First:\n" + block(fs) + "Test it:\n```sh\nuvx mcp-tester\n```\n", a},
	})
}
