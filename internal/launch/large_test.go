package launch

import (
	"strings"
	"testing"
)

// Claude Code keeps its history in its configuration, before or after the servers. goated reads all of
// it, and does not repair only the start of a file.
func TestLargeConfigurations(t *testing.T) {
	history := `"history": "` + strings.Repeat("x", 2<<20) + `"`
	servers := `"mcpServers": {"a": {"command": "npx", "args": ["a-mcp"]}, "b": {"command": "npx", "args": ["b-mcp"]}}`
	sys := disk{
		"/work/before.json": "{" + history + ", " + servers + "}",
		"/work/behind.json": "{" + servers + ", " + history + "}",
		"/work/huge.json":   "{" + servers + `, "history": "` + strings.Repeat("x", MaxFile) + `"}`,
	}.system(every...)
	const both = "npx a-mcp | npm a-mcp | a\nnpx b-mcp | npm b-mcp | b"
	understands(t, sys, [][2]string{
		{"/work/before.json", both},
		{"/work/behind.json", both},
		{"/work/huge.json", "error: This is longer than the 32 MiB that a configuration may have"},
	})
}
