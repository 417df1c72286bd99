//go:build linux

package client_test

import (
	"os"
	"path/filepath"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
	"goated/internal/servertest"
)

// A server that dies from a limit of its sandbox leads to a question about a higher limit.
// After the user allows it, the server starts. Before, only Go builds could get a higher limit.
func TestLimitsAreAllowed(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts other programs, which the race detector does not see")
	}
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Limits {
		t.Skip(s)
	}
	for kind, uses := range map[limit.Kind]string{
		limit.Files:  "kept = [open('/dev/null') for _ in range(9000)]\n",
		limit.Memory: "kept = bytes(5 << 30)\n", // untouched zeros count but cost nothing
	} {
		t.Run(string(kind), func(t *testing.T) {
			script := filepath.Join(t.TempDir(), "server.py")
			if err := os.WriteFile(script, []byte(uses+servertest.Small(t)+"\nMCPServer('greedy').run()\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			h := host(t, client.Options{Data: t.TempDir()})
			if _, err := h.Connect(t.Context(), client.Config{Path: script}); err == nil {
				t.Fatal("it has no limit")
			}
			got := lacking(t, h)
			if want := (sandbox.Permission{Kind: sandbox.ToLimit, Limit: kind, Amount: 4 * sandbox.DefaultLimits.Of(kind)}); got != want {
				t.Fatalf("it asks to %s, want %s", got, want)
			}
			if err := h.Allow(t.Context(), h.Snapshot().Servers[0].ID, sandbox.Permissions{got}.Grant()); err != nil {
				t.Error(err)
			}
		})
	}
}
