//go:build unix

package client_test

import (
	"context"
	"errors"
	"log/slog"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// A command runs by its name with its arguments, in the same sandbox as a script. It can read
// its script's folder but not write to it.
func TestCommandConnects(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Data: t.TempDir()})
	script := servertest.Dice()
	id := connect(t, h, client.Config{Command: "node", Args: []string{script}, Name: "dice"})
	if r, err := h.Call(t.Context(), "dice__roll", map[string]any{"sides": 1}, nil); err != nil || said(t, r) != "1" {
		t.Errorf("the call says %v, %v", r, err)
	}
	s := h.Snapshot().Servers[0]
	if s.ID != id || s.Path != "node" {
		t.Errorf("the server is %q at %q", s.ID, s.Path)
	}
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	if !s.Sandbox.Confined() || !slices.Contains(s.Policy.Read, filepath.Dir(script)) || slices.Contains(s.Policy.Write, script) {
		t.Errorf("it is %s, and may read %q and write %q", s.Sandbox, s.Policy.Read, s.Policy.Write)
	}
}

// Two servers that run the same program have separate folders.
func TestCommandsHaveFoldersOfTheirOwn(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	h := host(t, client.Options{Data: t.TempDir()})
	for _, name := range []string{"one", "two"} {
		connect(t, h, client.Config{Command: "node", Args: []string{servertest.Dice(), name}, Name: name})
	}
	if s := h.Snapshot().Servers; s[0].Policy.State == s[1].Policy.State {
		t.Errorf("both write to %s", s[0].Policy.State)
	}
}

// A configuration that cannot start fails before anything runs, with an error of its specific
// kind.
func TestConfigsThatCannotStart(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	for _, tt := range []struct {
		config client.Config
		is     error
		says   string
	}{
		{client.Config{URL: "ftp://example.com/mcp"}, client.ErrStart, "Failed to start server: this is not an http or https address"},
		{client.Config{Path: "a.py", Command: "node"}, client.ErrStart, "Failed to start server: a server is either a script, a command or a URL"},
		{client.Config{Command: "no-such-program-anywhere"}, exec.ErrNotFound, "Failed to start server: "},
		{client.Config{Command: "node", Dir: "/no/such/folder"}, client.ErrStart, "Failed to start server: the working directory: "},
		{client.Config{}, client.ErrExtension, "Invalid server script type"},
	} {
		_, err := h.Connect(t.Context(), tt.config)
		var e *client.Error
		if !errors.As(err, &e) || !errors.Is(err, tt.is) || !strings.HasPrefix(err.Error(), tt.says) {
			t.Errorf("%+v: got %v, want %v", tt.config, err, tt.is)
		}
	}
}

// In the policy of a server, goated's own folders and the folder of all servers are private.
func TestOwnFoldersArePrivate(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	private, data := t.TempDir(), t.TempDir()
	h := host(t, client.Options{Data: data, Private: []string{private}})
	connect(t, h, client.Config{Path: servertest.Dice()})
	policy := h.Snapshot().Servers[0].Policy
	for _, dir := range []string{private, data} {
		if !slices.Contains(policy.Private, dir) {
			t.Errorf("%s is not among the private folders %q", dir, policy.Private)
		}
	}
}

// goated advertises no capability that it lacks: neither roots nor sampling.
func TestAdvertisedCapabilities(t *testing.T) {
	t.Parallel()
	c, dir := recorder(t)
	connect(t, host(t, client.Options{}), c)
	greeted := false
	for _, line := range recorded(t, dir, "in") {
		if strings.Contains(line, `"method":"initialize"`) {
			greeted = true
			if !strings.Contains(line, `"capabilities":{}`) {
				t.Errorf("goated greets with %s", line)
			}
		}
	}
	if !greeted {
		t.Error("the server was not initialized")
	}
}

// goated does not request the tools of a server that declares none.
func TestNoListOfToolsWithoutTheCapability(t *testing.T) {
	t.Parallel()
	c, dir := recorder(t, "notools")
	h := host(t, client.Options{})
	connect(t, h, c)
	if n := h.Snapshot().Tools(); n != 0 {
		t.Errorf("it has %d tools", n)
	}
	for _, line := range recorded(t, dir, "in") {
		if strings.Contains(line, `"tools/list"`) {
			t.Errorf("goated asks: %s", line)
		}
	}
}

// records collects log records.
type records struct {
	slog.Handler
	mu  sync.Mutex
	all []string
}

func (r *records) Handle(_ context.Context, record slog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := record.Message
	record.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
	if record.Level >= slog.LevelError {
		r.all = append(r.all, text)
	}
	return nil
}

func (r *records) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r *records) WithGroup(string) slog.Handler      { return r }

// A call that its caller cancels is not a tool error, so it is not logged.
func TestCancelledCallIsNotLogged(t *testing.T) {
	t.Parallel()
	log := &records{Handler: slog.DiscardHandler}
	c, _ := recorder(t)
	h := host(t, client.Options{Logger: slog.New(enabled{log})})
	connect(t, h, c)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = h.Call(t.Context(), "r__do", nil, nil)
		cancel()
	}()
	if _, err := h.Call(ctx, "r__do", map[string]any{"hang": true}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("the call says %v", err)
	}
	var e *client.Error
	if _, err := h.Call(ctx, "r__do", nil, nil); errors.As(err, &e) {
		t.Errorf("a call of an ended context says %v", err)
	}
	if len(log.all) > 0 {
		t.Errorf("logged: %q", log.all)
	}
	if _, err := h.Call(t.Context(), "r__none", nil, nil); !errors.Is(err, client.ErrToolNotFound) || len(log.all) != 1 {
		t.Errorf("a real error is logged %d times: %v", len(log.all), err)
	}
}

// enabled accepts log records of every level.
type enabled struct{ *records }

func (enabled) Enabled(context.Context, slog.Level) bool { return true }
