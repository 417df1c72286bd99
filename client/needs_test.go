//go:build linux

package client_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// noteServer writes a server whose only tool reads a file, and returns its path.
func noteServer(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "note.py")
	source := servertest.Small(t) + `
server = MCPServer("note")

@server.tool()
def read(path: str) -> str:
    try:
        return open(path).read()
    except OSError as e:
        raise ToolError(str(e))

server.run()
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// The host also detects a refusal of the sandbox from the result of a failed call.
func TestNeedsOfACallThatFailed(t *testing.T) {
	servertest.UsePython(t)
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := noteServer(t)
	h := host(t, client.Options{Data: t.TempDir()})
	id := connect(t, h, client.Config{Path: script})
	call := func() error {
		_, err := h.Call(t.Context(), id+"__read", map[string]any{"path": note}, nil)
		return err
	}
	if err := call(); !errors.Is(err, client.ErrTool) {
		t.Fatalf("the call ended with %v", err)
	}
	want := sandbox.Permission{Kind: sandbox.ToRead, Path: note}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	told := false
	for s := range h.Watch(ctx) {
		if needs := s.Servers[0].Needs; len(needs) == 1 && needs[0] == want {
			told = true
			break
		}
	}
	if !told {
		t.Fatalf("it needs %+v", h.Snapshot().Servers[0])
	}
	if err := h.Allow(t.Context(), id, sandbox.Grant{Read: []string{note}}); err != nil {
		t.Fatal(err)
	}
	if err := call(); err != nil || len(h.Snapshot().Servers[0].Needs) != 0 {
		t.Errorf("allowed, the call ended with %v", err)
	}
	if err := h.Confine(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	if s := h.Snapshot().Servers[0]; !s.NoSandbox || s.Sandbox.Confined() {
		t.Errorf("without a sandbox it is %v, %v", s.NoSandbox, s.Sandbox)
	}
	if err := h.Confine(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	if s := h.Snapshot().Servers[0]; s.NoSandbox || !s.Sandbox.Confined() {
		t.Errorf("in its sandbox again it is %v, %v", s.NoSandbox, s.Sandbox)
	}
}

// The repository of a git worktree is elsewhere, and git reports only that there is none. A
// single question for the repository is enough, and the repository is not readable before the
// answer.
func TestWorktreeAsksForItsRepository(t *testing.T) {
	servertest.UsePython(t)
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("it needs git")
	}
	top := sandbox.ResolveLinks(t.TempDir())
	repository, tree := filepath.Join(top, "main"), filepath.Join(top, "tree")
	for _, args := range [][]string{{"init", "-q", repository}, {"-C", repository, "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "--allow-empty", "-m", "the first one"}, {"-C", repository, "worktree", "add", "-q", tree}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	script := filepath.Join(t.TempDir(), "gitlog.py")
	source := servertest.Small(t) + `
import subprocess

server = MCPServer("gitlog")

@server.tool()
def log(path: str) -> str:
    git = subprocess.run(["git", "-c", "safe.directory=*", "-C", path, "log", "--oneline"], capture_output=True, text=True)
    if git.returncode:
        raise ToolError(git.stderr)
    return git.stdout

server.run()
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	id := connect(t, h, client.Config{Path: script, Args: []string{tree}})
	call := func() (string, error) {
		result, err := h.Call(t.Context(), id+"__log", map[string]any{"path": tree}, nil)
		return fmt.Sprint(result), err
	}
	if out, err := call(); !errors.Is(err, client.ErrTool) {
		t.Fatalf("the call ended with %s, %v", out, err)
	}
	want := sandbox.Permission{Kind: sandbox.ToRead, Path: filepath.Join(repository, ".git")}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var needs []sandbox.Permission
	for s := range h.Watch(ctx) {
		if needs = s.Servers[0].Needs; len(needs) > 0 {
			break
		}
	}
	if len(needs) != 1 || needs[0] != want {
		t.Fatalf("it needs %v, want %v", needs, want)
	}
	if err := h.Allow(t.Context(), id, sandbox.Grant{Read: []string{want.Path}}); err != nil {
		t.Fatal(err)
	}
	if out, err := call(); err != nil {
		t.Errorf("allowed, the call ended with %s, %v", out, err)
	}
}

// A path with passwords among the arguments, or a working directory that is the home folder, is
// not readable until the user allows it. goated asks as soon as the server runs.
func TestSensitiveArgumentsNeedThePermission(t *testing.T) {
	servertest.UsePython(t)
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	vault := filepath.Join(home, "vault.kdbx")
	script := noteServer(t)
	for path, text := range map[string]string{vault: "milk", filepath.Join(home, "letter.txt"): "dear"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		config client.Config
		file   string
		want   string
	}{
		{client.Config{Path: script, Args: []string{"--db=" + vault}}, vault, vault},
		{client.Config{Path: script, Args: []string{home}}, filepath.Join(home, "letter.txt"), home},
		{client.Config{Path: script, Dir: home}, filepath.Join(home, "letter.txt"), home},
	} {
		h := host(t, client.Options{Data: t.TempDir()})
		id := connect(t, h, c.config)
		want := sandbox.Permission{Kind: sandbox.ToRead, Path: c.want}
		if needs := h.Snapshot().Servers[0].Needs; !slices.Equal(needs, []sandbox.Permission{want}) {
			t.Errorf("%v: it needs %+v", c.config, needs)
		}
		if _, err := h.Call(t.Context(), id+"__read", map[string]any{"path": c.file}, nil); err == nil {
			t.Errorf("%v: it reads %s without a question", c.config, c.file)
		}
		if err := h.Allow(t.Context(), id, sandbox.Permissions{want}.Grant()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Call(t.Context(), id+"__read", map[string]any{"path": c.file}, nil); err != nil {
			t.Errorf("%v: after it was allowed: %v", c.config, err)
		}
		if needs := h.Snapshot().Servers[0].Needs; len(needs) > 0 {
			t.Errorf("%v: it still needs %+v", c.config, needs)
		}
	}
}
