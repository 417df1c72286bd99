package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/registry"
)

// ordering copies asks_elsewhere.py from a folder of testdata to dir, appends edit, and
// connects it. It returns the name of the script's tool, and a function that counts how often
// the tool did its work.
func ordering(t *testing.T, from, dir, edit string, o client.Options) (h *client.Host, order string, orders func() int) {
	servertest.UsePython(t)
	state := t.TempDir()
	for _, name := range []string{"asks_elsewhere.py", "asking.py"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), append(data, edit...), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	o.Caches.ProtocolCache = filepath.Join(dir, "protocols.json")
	h = client.New(o)
	t.Cleanup(h.Close)
	id, err := h.Connect(t.Context(), client.Config{Path: filepath.Join(dir, "asks_elsewhere.py"), NoSandbox: true, Env: []string{"STATE=" + state}})
	if err != nil {
		t.Fatal(err)
	}
	return h, id + "__order", func() int {
		data, _ := os.ReadFile(filepath.Join(state, "orders"))
		return strings.Count(string(data), "\n")
	}
}

// A call stopped at a question after it had already ordered. goated repeated the call without
// asking, so the pizza came twice (found by a stranger, S1).
func TestNoCallRunsTwiceWithoutTheUser(t *testing.T) {
	answer := func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"tip": 1}}, nil
	}
	asked := 0
	for _, run := range []struct {
		name   string
		repeat client.RepeatFunc
		orders int
		fails  error
	}{
		{"nobody agrees", nil, 1, client.ErrUserNotAsked},
		{"the user refuses", func(context.Context, client.Asker, registry.Entry, map[string]any) bool { asked++; return false }, 1, client.ErrUserNotAsked},
		{"the user agrees", func(_ context.Context, from client.Asker, e registry.Entry, _ map[string]any) bool {
			if asked++; e.Tool.Name != "order" || from.Name == "" {
				t.Errorf("the user is asked about %q of %q", e.Tool.Name, from.Name)
			}
			return true
		}, 2, nil},
	} {
		t.Run(run.name, func(t *testing.T) {
			h, order, orders := ordering(t, "testdata/small", t.TempDir(), "", client.Options{Elicit: answer, Process: client.ProcessOptions{Repeat: run.repeat}})
			if _, err := h.Call(t.Context(), order, nil, nil); !errors.Is(err, run.fails) || orders() != run.orders {
				t.Errorf("%v, and %d orders", err, orders())
			}
			// The restarted server can ask the user.
			if r, err := h.Call(t.Context(), order, nil, nil); err != nil || r.IsError || orders() != run.orders+1 {
				t.Errorf("the second call: %+v, %v, and %d orders", r, err, orders())
			}
		})
	}
	if asked != 2 {
		t.Errorf("the user was asked %d times", asked)
	}

	// goated remembers at the next start what a server needs, even after an edit of its script.
	dir := t.TempDir()
	first, order, orders := ordering(t, "testdata/small", dir, "", client.Options{Elicit: answer})
	if _, err := first.Call(t.Context(), order, nil, nil); !errors.Is(err, client.ErrUserNotAsked) || orders() != 1 {
		t.Fatalf("%v, and %d orders", err, orders())
	}
	first.Close()
	later, order, orders := ordering(t, "testdata/small", dir, "# an edit\n", client.Options{Elicit: answer})
	if _, err := later.Call(t.Context(), order, nil, nil); err != nil || orders() != 1 {
		t.Errorf("the next start: %v, and %d orders", err, orders())
	}
}

// If nobody can answer, the error says so, and that a part of the work is done. The first server
// has the official SDK, so the test fails if goated no longer recognizes the SDK's error.
func TestACallThatCannotAskSaysSo(t *testing.T) {
	dir := t.TempDir()
	for _, start := range []struct{ protocol, from string }{{"newer", "testdata"}, {"older", "testdata/small"}} {
		h, order, orders := ordering(t, start.from, dir, "", client.Options{})
		_, err := h.Call(t.Context(), order, nil, nil)
		if !errors.Is(err, client.ErrUserNotAsked) || !strings.Contains(err.Error(), "goated can't ask you here") || orders() != 1 {
			t.Errorf("in the %s protocol: %v, and %d orders", start.protocol, err, orders())
		}
		h.Close()
	}
}
