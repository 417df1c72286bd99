//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// The test connects real servers of every kind that users have, lists and calls their tools,
// and disconnects them.
func TestRealServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte("hello from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	one, two := servertest.EnvironV1(t), servertest.Environ(t)
	for _, tt := range []struct {
		name   string
		env    []string
		config client.Config
		tool   string
		args   map[string]any
		want   string
		long   bool // TestTurnWithRealServers calls it, too, or another test has more calls of its SDK
	}{
		{"python sdk 1", one, client.Config{Path: servertest.Script("fast.py")}, "fast__add", map[string]any{"a": 2, "b": 40}, "42.0", true},
		{"python sdk 2", two, client.Config{Path: servertest.Script("dice.py")}, "dice__roll", map[string]any{"sides": 1}, "1", true},
		{"typescript sdk", two, client.Config{Path: servertest.Script("dice.js")}, "dice__roll", map[string]any{"sides": 1}, "1", true},
		{"go sdk", two, client.Config{Path: servertest.Script("simple.go")}, "simple__multiply", map[string]any{"a": 6, "b": 7}, `{"product":42}`, false},
		{"everything", two, client.Config{Path: servertest.Everything(), Name: "everything"}, "everything__echo", map[string]any{"message": "hi"}, "Echo: hi", true},
		{"filesystem", two, client.Config{Path: servertest.Filesystem(), Name: "filesystem", Args: []string{dir}}, "filesystem__read_text_file", map[string]any{"path": filepath.Join(dir, "hello.txt")}, "hello from a file", true},
		{"memory", two, client.Config{Path: servertest.Memory(), Name: "memory", Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "m.jsonl")}, Grant: sandbox.Grant{Write: []string{dir}}}, "memory__read_graph", nil, "{\n  \"entities\": [],\n  \"relations\": []\n}", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.long && !servertest.Long() {
				t.Skip("another test calls it: GOATED_LONG=1 runs it")
			}
			h := host(t, client.Options{Env: tt.env, Data: servertest.GoData(t)})
			id := connect(t, h, tt.config)
			if s := h.Snapshot(); len(s.Servers) != 1 || s.Servers[0].Status != client.Connected || len(s.Servers[0].Tools) == 0 {
				t.Fatalf("snapshot %+v", s)
			}
			r, err := h.Call(t.Context(), tt.tool, tt.args, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := said(t, r); got != tt.want {
				t.Errorf("%s said %q, want %q", tt.tool, got, tt.want)
			}
			if err := h.Disconnect(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if s := h.Snapshot(); len(s.Servers) != 0 || s.Tools() != 0 {
				t.Errorf("after disconnecting: %+v", s)
			}
		})
	}
}

func TestTolerableFaults(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"chatty", "silent", "exits", "stderr"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{})
			connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{mode}})
			r, err := h.Call(t.Context(), "raw__one", nil, nil)
			if err != nil || said(t, r) != "done" {
				t.Errorf("%v %v", r, err)
			}
		})
	}
}

func TestDuplicateToolsAreUncallable(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"duplicates"}})
	s := h.Snapshot().Servers[0]
	if len(s.Tools) != 2 || len(s.Uncallable) != 3 {
		t.Errorf("%d tools, %d uncallable", len(s.Tools), len(s.Uncallable))
	}
	const want = `The server offers 2 tools named "one", so none of them can be called.`
	for _, name := range []string{"raw__one", "one"} {
		_, looked := h.Lookup(name)
		_, called := h.Call(t.Context(), name, nil, nil)
		for _, err := range []error{looked, called} {
			if !errors.Is(err, client.ErrUncallable) || err.Error() != "Tool '"+name+"' can't be called. "+want || !strings.Contains(wording.Advice(err), "its own name") {
				t.Errorf("the uncallable tool %s: %v", name, err)
			}
		}
	}
	if _, err := h.Lookup("raw__four"); !errors.Is(err, client.ErrToolNotFound) {
		t.Errorf("a tool that does not exist: %v", err)
	}
}

// A new attempt replaces a failed attempt with the same configuration, but no other attempt
// with the same script.
func TestConnectReplacesFailedAttempt(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	c := misbehave(t, "exit1")
	home, there, named := c, c, c
	home.Env, there.Dir, named.Name = []string{"TOKEN=b"}, t.TempDir(), "home"
	for range 2 {
		for _, c := range []client.Config{c, home, there, named} {
			if _, err := h.Connect(t.Context(), c); !errors.Is(err, client.ErrStart) {
				t.Fatal(err)
			}
		}
		if s := h.Snapshot().Servers; len(s) != 4 {
			t.Errorf("%d servers are listed, not 4", len(s))
		}
	}
}
