package llmem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// Failures because of a size, another program, a timeout or the client have specific codes too.
func TestErrorsOfLimitsHaveCodes(t *testing.T) {
	b := start(t, project())
	b.write("large.go", "package large\n"+strings.Repeat("// x\n", 300_000))
	expect := func(what string, a answer, code int, reason, next string) {
		t.Helper()
		if a.Status != statusError || a.Code != code || a.Reason != reason || !strings.Contains(a.NextAction, next) || next == "" {
			t.Errorf("%s: %s %d %s %q, then %q", what, a.Status, a.Code, a.Reason, a.Error, a.NextAction)
		}
	}
	for _, tool := range []string{"get_artifact", "generate_prompt", "generate_artifact"} {
		args := map[string]any{"path": "large.go", "task": "summarize"}
		if tool == "get_artifact" {
			delete(args, "task")
		}
		expect(tool, b.call(tool, args), codeInvalid, "too_large", "part of the file")
	}
	expect("a large result", b.call("store_llm_result", map[string]any{"path": "main.go", "task": "summarize", "result": strings.Repeat("x", artifact.MaxContent+1)}), codeInvalid, "too_large", "shorter")

	short := connect(t, Options{Root: b.dir, ToolTime: time.Nanosecond, Log: io.Discard})
	res, err := short.CallTool(t.Context(), &mcp.CallToolParams{Name: "map_workspace"})
	if err != nil {
		t.Fatal(err)
	}
	expect("a slow call", decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text), codeInternal, "timeout", "again")

	b.write("file/.artifacts", "a file")
	b.write("file/a.go", "package a\n")
	other := connect(t, Options{Root: filepath.Join(b.dir, "file"), Log: io.Discard})
	res, err = other.CallTool(t.Context(), &mcp.CallToolParams{Name: "store_llm_result", Arguments: map[string]any{"path": "a.go", "task": "x", "result": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	expect("a file .artifacts", decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text), codeInternal, "no_folder", ".artifacts")
}

// A client that cancels gets no answer, so the test calls the handler directly.
func TestACancelledCallSaysSo(t *testing.T) {
	b := start(t, project())
	s := newServer(Options{Root: b.dir, Log: io.Discard})
	defer s.stop()
	all := tools()
	i := slices.IndexFunc(all, func(tool *mcp.Tool) bool { return tool.Name == "map_workspace" })
	if i < 0 {
		t.Fatal("no tool is called map_workspace")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := s.handle(all[i].Name, all[i].InputSchema.(*jsonschema.Schema), mapWorkspace)(ctx, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(`{}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if a := decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text); a.Reason != "cancelled" || a.Code != codeInternal {
		t.Errorf("%+v", a)
	}
}

// Each error of the lower packages has one code and one reason, however it is wrapped.
func TestEachErrorHasAReason(t *testing.T) {
	for err, want := range map[error]string{
		workspace.ErrOutside: "-32602 outside_workspace", workspace.ErrIgnored: "-32602 ignored", workspace.ErrLink: "-32602 link", workspace.ErrLarge: "-32602 too_large", workspace.ErrNotFile: "-32602 not_a_text_file",
		artifact.ErrNotFound: "-32002 not_found", artifact.ErrLarge: "-32602 too_large", artifact.ErrBusy: "-32603 locked", artifact.ErrFolder: "-32603 no_folder",
		outline.ErrLarge: "-32602 too_large", outline.ErrBinary: "-32602 not_a_text_file", outline.ErrSlow: "-32603 too_slow",
		fs.ErrNotExist: "-32002 not_found", context.Canceled: "-32603 cancelled", context.DeadlineExceeded: "-32603 cancelled", errTimeout: "-32603 timeout", errWorkspaceGone: "-32603 workspace_gone",
		noWorkspace("x"): "-32602 no_workspace", errors.New("x"): "-32603 internal",
	} {
		e := failed(fmt.Errorf("a.go: %w", err))
		if have := fmt.Sprint(e.Code, " ", e.Reason); have != want || e.Status != statusError || e.Error == "" {
			t.Errorf("%v: %s, want %s", err, have, want)
		}
		if e.NextAction == "" && e.Reason != "internal" && e.Reason != "cancelled" {
			t.Errorf("%v: no next action", err)
		}
	}
}

// A refusal is a sentence rather than a message of the schema library.
func TestRefusedArgumentsInSentences(t *testing.T) {
	b := start(t, project())
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"find_symbol", map[string]any{"name": "x", "limit": 0}, "limit must be at least 1."},
		{"find_symbol", nil, `The argument "name" is missing.`},
		{"map_workspace", map[string]any{"tokens": 99}, "tokens must be at least 100."},
		{"map_workspace", map[string]any{"focusOn": "main.go"}, "focusOn must be a list, not a text."},
		{"find_symbol", map[string]any{"name": "main", "path": "store"}, `There is no argument "path". Known: directory, kind, limit, name and references.`},
		{"get_artifact", map[string]any{"file": "main.go"}, `The argument "path" is missing. There is no argument "file". Known: path and type.`},
		{"generate_artifact", map[string]any{"path": "main.go", "task": "annotate", "focusOn": []string{"main"}}, `There is no argument "focusOn". Known: options, path and task.`},
		{"generate_artifact", map[string]any{"path": "main.go", "task": "annotate", "options": map[string]any{"focus": 1}}, `There is no field "focus" of options. Known: focusOn.`},
		{"generate_artifact", map[string]any{"path": "main.go", "task": "x"}, `task must be parse, annotate or summarize, not "x".`},
	} {
		if a := b.call(tt.tool, tt.args); a.Error != tt.want || a.Code != codeInvalid || a.Reason != "invalid_argument" {
			t.Errorf("%s %v: %d %s %q, want %q", tt.tool, tt.args, a.Code, a.Reason, a.Error, tt.want)
		}
	}
}

// An error about a path contains advice: the size in words, and the real path behind a link.
func TestErrorsOfPathsAreSentences(t *testing.T) {
	b := start(t, map[string]string{"py/app.py": "x = 1\n", "py/huge.py": strings.Repeat("# x\n", 400_000)})
	if err := os.Symlink(b.dir, filepath.Join(b.dir, "selfloop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(b.dir, "away")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"py/huge.py":         "py/huge.py is too large: 1.6 MiB, at most 1 MiB",
		"selfloop/py/app.py": "selfloop/py/app.py: it leads over an absolute link. Use the real path: py/app.py",
		"away/x.py":          "away/x.py: the path is outside the workspace",
	} {
		if a := b.call("get_artifact", map[string]any{"path": path}); a.Error != want {
			t.Errorf("%s: %q, want %q", path, a.Error, want)
		}
	}
}

// A link to an ignored file, or a path through a link to an ignored folder, returned content that
// the file's own path did not.
func TestLinksToIgnoredFilesAreRefused(t *testing.T) {
	b := start(t, map[string]string{
		".gitignore": ".env\nsecrets/\n", ".env": "KEY=secret\n", "secrets/key.py": "secret = 1\n", ".git/config": "secret", "a.py": "x = 1\n",
	})
	for link, target := range map[string]string{"env.txt": ".env", "again.txt": "env.txt", "link": "secrets", "key.py": "secrets/key.py", "config.txt": ".git/config", "open.py": "a.py"} {
		if err := os.Symlink(target, filepath.Join(b.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"env.txt", "again.txt", "link", "link/key.py", "key.py", "config.txt", filepath.Join(b.dir, "env.txt")} {
		for tool, args := range map[string]map[string]any{
			"get_artifact":      {"path": path},
			"generate_prompt":   {"path": path, "task": "summarize"},
			"generate_artifact": {"path": path, "task": "parse"},
			"store_llm_result":  {"path": path, "task": "summarize", "result": "x"},
		} {
			if a := b.call(tool, args); a.Reason != "ignored" || strings.Contains(fmt.Sprint(a), "KEY=") {
				t.Errorf("%s of %s: %+v", tool, path, a)
			}
		}
	}
	if a := b.call("get_artifact", map[string]any{"path": "env.txt"}); a.Error != "env.txt leads to .env: the workspace leaves out this path" {
		t.Error(a.Error)
	}
	b.ok("get_artifact", map[string]any{"path": "open.py"})
}

// The list of artifacts may come with a repository, including a link in the place of an artifact.
func TestAnArtifactIsNoLinkToAnotherFile(t *testing.T) {
	b := start(t, map[string]string{".gitignore": ".env\n", ".env": "KEY=secret\n", "a.py": "x = 1\n"})
	stored := b.ok("store_llm_result", map[string]any{"path": "a.py", "task": "summarize", "result": "It sets x."})
	name := filepath.Join(b.dir, filepath.FromSlash(stored.Data.ArtifactPath))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../.env", name); err != nil {
		t.Fatal(err)
	}
	if a := b.call("get_artifact", map[string]any{"path": "a.py"}); strings.Contains(string(a.Data.Stored), "KEY=") {
		t.Errorf("%s", a.Data.Stored)
	}
}
