package llmem

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A program that is started from a menu has the home folder as its working directory. That is not a
// workspace, and nothing is read or written there.
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
		why := "your home folder is not a project"
		if root == "/" {
			why = "the root of the file system is not a project"
		}
		if a := decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text); a.Reason != "no_workspace" || a.Error != why || !strings.Contains(a.NextAction, "--root") || !strings.Contains(a.NextAction, "Settings > Data > Folder to work in") || !res.IsError {
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

// The error for a root that does not exist concerns the root rather than the call that failed.
func TestARootThatDoesNotExist(t *testing.T) {
	session := connect(t, Options{Root: filepath.Join(t.TempDir(), "nope"), Data: t.TempDir(), Log: io.Discard})
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "map_workspace"})
	if err != nil {
		t.Fatal(err)
	}
	if a := decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text); a.Reason != "no_workspace" || a.Error != "the folder of the workspace does not exist" || !strings.Contains(a.NextAction, "--root") {
		t.Errorf("%+v", a)
	}
}

// Models send null for arguments that they leave out.
func TestNullIsNoArgument(t *testing.T) {
	b := start(t, project())
	b.ok("list_artifacts", map[string]any{"directory": nil, "type": nil, "limit": nil, "cursor": nil})
	b.ok("generate_artifact", map[string]any{"path": "main.go", "task": "parse", "options": map[string]any{"focusOn": nil}})
	if a := b.call("get_artifact", map[string]any{"path": nil}); a.Code != codeInvalid || !strings.Contains(a.Error, "path") {
		t.Errorf("%+v", a)
	}
}

// A workspace that is gone gives no answers, because an empty map would be wrong. The same applies if
// .artifacts is a file or a link.
func TestAWorkspaceThatIsGone(t *testing.T) {
	b := start(t, project())
	b.ok("map_workspace", nil)
	b.write(".artifacts", "a file")
	for tool, args := range map[string]map[string]any{"list_artifacts": nil, "generate_artifact": {"path": "main.go", "task": "parse"}} {
		if a := b.call(tool, args); a.Reason != "no_folder" || !strings.Contains(a.NextAction, ".artifacts") {
			t.Errorf("%s: %+v", tool, a)
		}
	}
	if err := os.Rename(b.dir, b.dir+".old"); err != nil {
		t.Skip(err) // Windows does not release an open folder
	}
	if a := b.call("map_workspace", nil); a.Reason != "workspace_gone" {
		t.Errorf("%+v", a)
	}
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if a := b.call("find_symbol", map[string]any{"name": "Add"}); a.Reason != "workspace_gone" {
		t.Errorf("%+v", a)
	}
}
