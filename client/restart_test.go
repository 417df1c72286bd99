//go:build unix

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

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// A restarted server keeps its ID and its place, but is a new process.
func TestRestartKeepsIDAndPlace(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	script := filepath.Join(t.TempDir(), "pid.js")
	if err := os.WriteFile(script, []byte("console.error('since ' + performance.timeOrigin)\nrequire("+quoted(servertest.Dice())+")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := connect(t, h, client.Config{Path: script, Name: "dice", Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}})
	connect(t, h, client.Config{Path: servertest.Dice(), Name: "other"})
	before := h.Snapshot().Servers[0]
	if err := h.Restart(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	s := h.Snapshot()
	if len(s.Servers) != 2 || s.Servers[0].ID != first || s.Servers[0].Status != client.Connected {
		t.Fatalf("after the restart: %+v", s.Servers)
	}
	if len(s.Servers[0].Tools) != len(before.Tools) {
		t.Errorf("it has %d tools, not %d", len(s.Servers[0].Tools), len(before.Tools))
	}
	if a, b := strings.Join(before.Stderr, " "), strings.Join(s.Servers[0].Stderr, " "); a == b {
		t.Errorf("it is the same process: %s", a)
	}
	if _, err := h.Call(t.Context(), first+"__roll", map[string]any{"sides": 1}, nil); err != nil {
		t.Error(err)
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

func TestRestartOfUnknownServer(t *testing.T) {
	t.Parallel()
	if err := host(t, client.Options{}).Restart(t.Context(), "nobody"); err == nil {
		t.Error("it says nothing")
	}
}

// A failed server starts again after its script is fixed.
func TestRestartAfterFailure(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	script := filepath.Join(t.TempDir(), "late.js")
	if err := os.WriteFile(script, []byte("process.exit(3)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}}); !errors.Is(err, client.ErrStart) {
		t.Fatalf("it failed with %v", err)
	}
	if err := os.WriteFile(script, []byte("require("+quoted(servertest.Dice())+")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Restart(t.Context(), "late"); err != nil {
		t.Fatal(err)
	}
	if s := h.Snapshot().Servers; len(s) != 1 || s[0].Status != client.Connected || s[0].Err != nil {
		t.Errorf("after the restart: %+v", s)
	}
}

// Two concurrent restarts with a disconnect between them leave one state and no process. The
// host's Close and goleak check the rest.
func TestRestartsAtOnce(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Dice()})
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- h.Restart(t.Context(), id) }()
	}
	waittest.Receive(t, "the first restart ends", done)
	waittest.Receive(t, "the second restart ends", done)
	if err := h.Check(); err != nil {
		t.Error(err)
	}
	if n := len(h.Snapshot().Servers); n > 1 {
		t.Errorf("%d servers", n)
	}
}

// A server whose restart is cancelled stays in its place and reports this.
func TestRestartWithCancelledContext(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, misbehave(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for what, restart := range map[string]func() error{
		"restarted": func() error { return h.Restart(ctx, id) },
		"allowed":   func() error { return h.Allow(ctx, id, sandbox.Grant{Read: []string{t.TempDir()}}) },
	} {
		if err := restart(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: it says %v", what, err)
		}
		s := h.Snapshot().Servers
		if len(s) != 1 || s[0].ID != id || s[0].Status != client.Failed || s[0].Err == nil {
			t.Fatalf("%s: the list is %+v", what, s)
		}
		if want := "Failed to start server: its start was cancelled"; s[0].Err.Error() != want || wording.Advice(s[0].Err) != "Restart it." {
			t.Errorf("%s: the card says %q, %q", what, s[0].Err, wording.Advice(s[0].Err))
		}
	}
	if err := h.Restart(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c, _ := h.Config(id); len(c.Grant.Read) != 1 {
		t.Errorf("what was allowed meanwhile is lost: %+v", c.Grant)
	}
}

func TestTimeoutsChangeWhileItRuns(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Everything(), Name: "everything"})
	h.SetTimeouts(0, 300*time.Millisecond)
	_, err := h.Call(t.Context(), id+"__trigger-long-running-operation", map[string]any{"duration": 5, "steps": 5}, nil)
	if !errors.Is(err, client.ErrCallTimeout) {
		t.Errorf("the call ended with %v", err)
	}
	if connect, _ := h.Timeouts(); connect != client.DefaultConnectTimeout {
		t.Errorf("0 made the limit %v", connect)
	}
}

func quoted(s string) string { return "'" + s + "'" }

// Change restarts a server in its place with the new arguments, environment and working
// directory.
func TestChangeRestartsWithArgumentsEnvironmentAndFolder(t *testing.T) {
	h := host(t, client.Options{})
	dir := t.TempDir()
	t.Chdir(dir)
	body := "console.error('at ' + process.cwd() + ' with ' + process.argv.slice(2) + ' and ' + process.env.SHADE)\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile("shade.js", []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	id := connect(t, h, client.Config{Path: "shade.js", Env: []string{"SHADE=green"}, Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}})
	if s, want := waitLine(t, h, id, "at "), "at "+dir+" with  and green"; !slices.Contains(s.Stderr, want) {
		t.Fatalf("stderr is %q, without %q", s.Stderr, want)
	}
	other := t.TempDir()
	if err := h.Change(t.Context(), id, client.Config{Args: []string{"-v", "two words"}, Env: []string{"SHADE=blue"}, Dir: other}); err != nil {
		t.Fatal(err)
	}
	if s, want := waitLine(t, h, id, "at "), "at "+other+" with -v,two words and blue"; !slices.Contains(s.Stderr, want) {
		t.Errorf("stderr is %q, without %q", s.Stderr, want)
	}
	if c, ok := h.Config(id); !ok || c.Path != "shade.js" || c.Dir != other || h.Snapshot().Servers[0].Args[0] != "-v" {
		t.Errorf("it is kept as %+v", c)
	}
	err := h.Change(t.Context(), id, client.Config{Dir: filepath.Join(other, "missing")})
	if !errors.Is(err, client.ErrStart) || h.Snapshot().Servers[0].Status != client.Connected {
		t.Errorf("a folder that is not there: %v, and the server is %s", err, h.Snapshot().Servers[0].Status)
	}
}

func TestGoScriptRunsInItsOwnFolder(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(script, []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := host(t, client.Options{}).Connect(t.Context(), client.Config{Path: script, Dir: t.TempDir()})
	if !errors.Is(err, client.ErrStart) || !strings.Contains(err.Error(), "only in its own folder") {
		t.Errorf("error %v", err)
	}
}

func TestRelativePathSaysWhereItIsLookedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, err = host(t, client.Options{}).Connect(t.Context(), client.Config{Path: "missing.py"})
	if advice := wording.Advice(err); !strings.Contains(advice, dir) {
		t.Errorf("the advice is %q", advice)
	}
	_, err = host(t, client.Options{}).Connect(t.Context(), client.Config{Path: filepath.Join(dir, "missing.py")})
	if advice := wording.Advice(err); advice != "Check the path and try again." {
		t.Errorf("of a full path the advice is %q", advice)
	}
}
