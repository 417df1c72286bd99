//go:build linux

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// lacking waits until a server needs exactly one permission, and returns the permission.
func lacking(t *testing.T, h *client.Host) sandbox.Permission {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for s := range h.Watch(ctx) {
		if needs := s.Servers[0].Needs; len(needs) == 1 {
			return needs[0].Resolved()
		}
	}
	t.Fatalf("it needs %+v", h.Snapshot().Servers[0].Needs)
	return sandbox.Permission{}
}

// A server may say nothing about a refusal, or not name the file. goated still asks exactly one
// question, which names the path. After the user allows it, the server works.
func TestSilentRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("a dozen starts of Python; TestHostIsNeededAndAllowed goes the same way")
	}
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	home, _ := filepath.EvalSymlinks(t.TempDir())
	t.Setenv("HOME", home)
	elsewhere, _ := filepath.EvalSymlinks(t.TempDir())
	note := filepath.Join(elsewhere, "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := servertest.Small(t) + `
import os, sys
doing, home, note = os.environ["DOING"], os.environ["HOME"], os.environ["NOTE"]
try:
    if doing == "mkdir": os.makedirs(home + "/.mcp-test/logs", exist_ok=True)
    if doing == "read": open(note).read()
except OSError:
    print("fatal: cannot start", file=sys.stderr)
    sys.exit(3)
server = MCPServer("test")

@server.tool()
def show(path: str) -> str:
    try:
        return open(path).read()
    except OSError as e:
        raise ValueError("Permission denied.")

@server.tool()
def keep() -> str:
    try:
        open(home + "/.kept.json", "a").write("x")
        return open(home + "/.kept.json").read()
    except OSError as e:
        raise ValueError("failed to save")

server.run()
`
	script := filepath.Join(t.TempDir(), "server.py")
	if err := os.WriteFile(script, []byte(start), 0o600); err != nil {
		t.Fatal(err)
	}
	for doing, test := range map[string]struct {
		tool string
		args map[string]any
		want sandbox.Permission
	}{
		"mkdir": {want: sandbox.Permission{Kind: sandbox.ToWrite, Path: filepath.Join(home, ".mcp-test")}},
		"read":  {want: sandbox.Permission{Kind: sandbox.ToRead, Path: note}},
		"show":  {"show", map[string]any{"path": note}, sandbox.Permission{Kind: sandbox.ToRead, Path: note}},
		"keep":  {"keep", nil, sandbox.Permission{Kind: sandbox.ToWriteFile, Path: filepath.Join(home, ".kept.json")}},
	} {
		t.Run(doing, func(t *testing.T) {
			env := append(slices.DeleteFunc(servertest.Environ(t), func(kv string) bool { return strings.HasPrefix(kv, "HOME=") }), "HOME="+home)
			h := host(t, client.Options{Data: t.TempDir(), Env: env})
			id, err := h.Connect(t.Context(), client.Config{Path: script, Env: []string{"DOING=" + doing, "NOTE=" + note}})
			call := func() error {
				if test.tool == "" {
					return nil
				}
				_, err := h.Call(t.Context(), h.Snapshot().Servers[0].ID+"__"+test.tool, test.args, nil)
				return err
			}
			if test.tool == "" && err == nil {
				t.Fatal("it started without the permission")
			}
			if test.tool != "" && (err != nil || call() == nil) {
				t.Fatalf("connecting %s: %v, and its call succeeded", id, err)
			}
			got := lacking(t, h)
			if got != test.want {
				t.Fatalf("it asks to %s, want %s", got, test.want)
			}
			if err := h.Allow(t.Context(), h.Snapshot().Servers[0].ID, sandbox.Permissions{got}.Grant()); err != nil {
				t.Fatal(err)
			}
			if err := call(); err != nil {
				t.Errorf("allowed, the call ended with %v", err)
			}
		})
	}
}

// A server may exit at the greeting because it lacks a file. goated asks for that file, too,
// because the observed start greets the server like the first one. Without a greeting, the
// observed start waited for 20 s and found nothing.
func TestAServerThatExitsAtTheGreeting(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	note, script := filepath.Join(folder, "note.txt"), filepath.Join(t.TempDir(), "server.py")
	if err == nil {
		err = errors.Join(os.WriteFile(note, []byte("milk"), 0o600), os.WriteFile(script, []byte(`import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    with open(sys.argv[1], "a") as log:
        print(request["method"], json.dumps(request.get("params", {}).get("capabilities")), file=log)
    if request["method"] != "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": -32601, "message": "Method not found"}}), flush=True)
        continue
    if "NOTE" in os.environ:
        try:
            open(os.environ["NOTE"]).read()
        except OSError:
            pass
    sys.exit(3)
`), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	written, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(written, "log")
	h := host(t, client.Options{Data: t.TempDir(), Elicit: func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}})
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Args: []string{log}, Env: []string{"NOTE=" + note}, Grant: sandbox.Grant{Write: []string{written}}}); err == nil {
		t.Fatal("it connected")
	}
	if got, want := lacking(t, h), (sandbox.Permission{Kind: sandbox.ToRead, Path: note}); got != want {
		t.Errorf("it asks to %s, want %s", got, want)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	greetings := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.HasPrefix(line, "initialize ") })
	if len(greetings) < 2 || greetings[len(greetings)-1] != lines[len(lines)-1] {
		t.Fatalf("the last start was not greeted: %q", lines)
	}
	if first, last := greetings[0], greetings[len(greetings)-1]; first != last || !strings.Contains(last, "elicitation") {
		t.Errorf("goated declares %q, and then %q", first, last)
	}
}
