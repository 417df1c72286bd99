package serverlist

import (
	"strings"
	"testing"

	"goated/internal/config"
)

// Without a keyring, the settings contain the values of keys. The JSON list printed those in
// arguments and URLs.
func TestListsHideSecrets(t *testing.T) {
	list := []Server{
		Of(config.Launch{Command: "uvx", Args: []string{"db-mcp", "postgresql://me:s3cretpw@localhost/db", "--token", "s3cretpw"},
			Env: []config.Variable{{Name: "API_KEY", Value: "s3cretpw"}}}),
		Of(config.Launch{URL: "https://mcp.example.org/mcp?api_key=s3cretpw"}),
	}
	var out strings.Builder
	if err := JSON(&out, list); err != nil {
		t.Fatal(err)
	}
	Print(&out, list)
	if text := out.String(); strings.Contains(text, "s3cretpw") || !strings.Contains(text, `"${input:token}"`) || strings.Contains(text, `"input:token"`) {
		t.Errorf("the lists are\n%s", text)
	}
}
