package linkcmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"goated/internal/adding"
	"goated/internal/config"
)

// yes agrees to every question.
type yes struct{ adding.Prompter }

func (yes) Says(context.Context, string, string) string { return "y" }

// The user sees everything that they agree to. A server's mark also covers its folder, its
// variables and its headers. Keys stay hidden.
func TestLinkShowsWhatIsAgreedTo(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".mcp.json")
	var saved []config.Link
	s := Store{
		Links: func() ([]config.Link, error) { return saved, nil },
		Save:  func(_ context.Context, l config.Link) error { saved = []config.Link{l}; return nil },
		Ask:   func(*cobra.Command) adding.Prompter { return yes{} },
	}
	run := func(args ...string) string {
		t.Helper()
		cmd, out := s.Commands()[0], new(bytes.Buffer)
		cmd.SetOut(out)
		cmd.SetErr(out)
		cmd.SetArgs(args)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	saved = []config.Link{{Path: file}}
	for _, step := range []struct{ options, key, state string }{
		{"--require /tmp/a.js", "SECRET1", "new      files"},
		{"--require /tmp/a.js", "SECRET1", "allowed  files"},
		{"--require /tmp/evil.js", "SECRET1", "new or changed files"},
		{"--require /tmp/evil.js", "SECRET2", "new or changed files"},
	} {
		text := `{"mcpServers":{"files":{"command":"npx","args":["-y","server"],"cwd":"/tmp","env":{"NODE_OPTIONS":"` + step.options + `","API_KEY":"` + step.key + `"}}}}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{run(), run(file)} {
			for _, want := range []string{step.state, "npx -y server\n", "in the folder /tmp\n", "NODE_OPTIONS='" + step.options + "'\n", "API_KEY=…\n"} {
				if !strings.Contains(out, want) {
					t.Errorf("the output lacks %q:\n%s", want, out)
				}
			}
			if strings.Contains(out, "SECRET") {
				t.Errorf("the output has a key:\n%s", out)
			}
		}
	}
}

// The list of the linked files did not say how to end a link.
func TestTheListOfLinksNamesUnlink(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".mcp.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers":{"files":{"command":"npx"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, out := Store{Links: func() ([]config.Link, error) { return []config.Link{{Path: file}}, nil }}, new(bytes.Buffer)
	cmd := s.Commands()[0]
	cmd.SetArgs(nil)
	cmd.SetOut(out)
	if err := cmd.Execute(); err != nil || !strings.Contains(out.String(), "\nTo stop running the servers of a file: goated servers unlink FILE\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A program that rewrites a file empties it first: there is nothing to agree to, and the link stays.
func TestAnEmptyFileChangesNoLink(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".mcp.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Store{
		Links: func() ([]config.Link, error) { return []config.Link{{Path: file, Agreed: []string{"a"}}}, nil },
		Save:  func(context.Context, config.Link) error { t.Error("the link changed"); return nil },
	}
	cmd := s.Commands()[0]
	cmd.SetArgs([]string{file})
	cmd.SetOut(new(bytes.Buffer))
	cmd.SetErr(new(bytes.Buffer))
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("the error is %v", err)
	}
}
