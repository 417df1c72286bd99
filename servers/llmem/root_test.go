package llmem

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Started from a menu, a program has the home folder as its working directory. That is
// no workspace, and nothing is read or written there.
func TestHomeIsNoWorkspace(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{home, home + "/.", link, "/"} {
		if len(Writes(root)) != 0 {
			t.Errorf("%s: writes %v", root, Writes(root))
		}
		session := connect(t, Options{Root: root, Data: filepath.Join(home, "data"), Log: io.Discard})
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "map_workspace"})
		if err != nil {
			t.Fatal(err)
		}
		if a := decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text); a.Reason != "no_workspace" || a.NextAction == "" || !res.IsError {
			t.Errorf("%s: %+v", root, a)
		}
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("the home folder has %v, %v", entries, err)
	}
	if w := Writes(filepath.Join(home, "project")); len(w) != 1 {
		t.Errorf("a project writes %v", w)
	}
}
