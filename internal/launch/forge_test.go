package launch

import (
	"slices"
	"testing"
)

// In npm, owner/repo means a GitHub repository and not a package. Other forges have a prefix.
func TestRepositoriesOfNPM(t *testing.T) {
	understands(t, disk{"/work/tools/fs/": ""}.system("npx", "npm", "bunx"), [][2]string{
		{"npx -y acme/fs-mcp", "npx -y acme/fs-mcp | git acme/fs-mcp | fs"},
		{"npx acme/fs-mcp#v2 --root /data", "npx acme/fs-mcp#v2 --root /data | git acme/fs-mcp v2 | fs"},
		{"npx -p acme/fs-mcp fs-mcp", "npx -p acme/fs-mcp fs-mcp | git acme/fs-mcp | fs"},
		{"npm exec -y acme/fs-mcp", "npm exec -y acme/fs-mcp | git acme/fs-mcp | fs"},
		{"npx gitlab:acme/fs-mcp#v2", "npx gitlab:acme/fs-mcp#v2 | git https://gitlab.com/acme/fs-mcp v2 | fs"},
		{"npx @acme/fs-mcp", "npx @acme/fs-mcp | npm @acme/fs-mcp | fs"},
		{"npx ./tools/fs", "npx /work/tools/fs | file /work/tools/fs | fs"},
		{"npx tools/fs", "npx /work/tools/fs | file /work/tools/fs | fs"},
	})
	github := []string{"github.com", "codeload.github.com"}
	for _, c := range []struct {
		command string
		args    []string
		want    []string
	}{
		{"npx", []string{"-y", "acme/fs-mcp", "text/plain"}, github},
		{"npx", []string{"-y", "fs-mcp", "text/plain"}, nil},
		{"npx", []string{"-y", "@acme/fs-mcp"}, nil},
		{"bunx", []string{"acme/fs-mcp#v2"}, github},
		{"uvx", []string{"acme/fs-mcp"}, nil},
	} {
		if got := Hosts(c.command, c.args, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s %q reaches %q", c.command, c.args, got)
		}
	}
}
