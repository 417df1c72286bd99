package launch

import (
	"slices"
	"testing"
)

func TestHosts(t *testing.T) {
	got := Hosts("npx", []string{"-y", "mcp-remote", "https://mcp.example.org/mcp?x=https://other.example", "--api-url=http://127.0.0.1:8080/v1", "postgresql://ann:secret@localhost/cats", "HOST=https://kept.example", "--from", "git+https://github.com/acme/fs-mcp@v1", "git-mcp @ git+https://git.example:8443/x.git", "gitlab:acme/fs-mcp#v2", "github:acme/fs-mcp", "github:acme"},
		[]string{"MDB=mongodb://127.0.0.1:27018/?directConnection=true", "URL=HTTPS://MCP.example.org/", "NOTE=see docs", "TOKEN=a:b@c", "WIDE=https://*.example.org", "MANY=mongodb://a.test,b.test/x",
			"FILE=file:///etc/passwd", "FORM=bitbucket:a/b", "ASK=https://${HOST}/", "SIX=http://[::1]:9/"})
	want := []string{"mcp.example.org", "127.0.0.1:8080", "localhost:5432", "github.com", "git.example:8443", "gitlab.com", "codeload.github.com", "127.0.0.1:27018", "[::1]:9"}
	if !slices.Equal(got, want) {
		t.Errorf("hosts %q, want %q", got, want)
	}
}
