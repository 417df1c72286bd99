package launch

import (
	"errors"
	"testing"
)

// The page of a package becomes the command for it. Repositories and bundles are not servers on the
// web.
func TestPages(t *testing.T) {
	sys := disk{}.system(every...)
	for _, c := range []struct{ text, want string }{
		{"https://www.npmjs.com/package/fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
		{"npmjs.com/package/@acme/fs-mcp", "npx -y @acme/fs-mcp | npm @acme/fs-mcp | fs"},
		{"https://www.npmjs.com/package/@acme/fs-mcp/v/1.2.3?activeTab=code", "npx -y @acme/fs-mcp@1.2.3 | npm @acme/fs-mcp 1.2.3 | fs"},
		{"https://pypi.org/project/fs-mcp/", "uvx fs-mcp | pypi fs-mcp | fs"},
		{"https://pypi.org/project/fs-mcp/1.2.3/#files", "uvx fs-mcp@1.2.3 | pypi fs-mcp 1.2.3 | fs"},
		{"https://hub.docker.com/r/mcp/fs", "docker run -i --rm mcp/fs | container mcp/fs | fs"},
		{"https://hub.docker.com/r/mcp/fs/tags", "docker run -i --rm mcp/fs | container mcp/fs | fs"},
		{"https://gitlab.com/api/v4/mcp", "https://gitlab.com/api/v4/mcp | web gitlab.com | gitlab"},
	} {
		says(t, c.text, c.want, sys)
	}
	for text, want := range map[string]ProblemKind{
		"https://github.com/acme/fs-mcp": Repository, "github.com/acme/fs-mcp": Repository, "https://github.com/acme/fs/tree/main/src": Repository, "https://gitlab.com/acme/fs": Repository,
		"claude mcp add fs https://github.com/acme/fs-mcp":                      Repository,
		"https://github.com/acme/fs/releases/download/v1/fs.mcpb":               Download,
		"https://a.example/fs.DXT?x=1":                                          Download,
		`{"mcpServers": {"fs": {"url": "https://github.com/acme/fs-mcp.git"}}}`: Repository,
	} {
		_, err := Understand(text, sys)
		if p := (*Problem)(nil); !errors.As(err, &p) || p.Kind != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
