//go:build linux

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// The host also finds a refusal of the sandbox in the result of a failed call.
func TestNeedsOfACallThatFailed(t *testing.T) {
	servertest.UsePython(t)
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "note.py")
	source := `from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
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
