//go:build linux && (amd64 || arm64)

package client

import (
	"errors"
	"os"
	"testing"

	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// Servers start without bubblewrap if it does not work, which is checked once, or has stopped
// working. They report this.
func TestBubblewrapThatDoesNotWork(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	none := sandbox.Bubble{Wrap: sandbox.WrapFails, Err: errors.New("no namespaces")}
	for name, finds := range map[string][]sandbox.Bubble{
		"never":      {none},
		"not so far": {{Wrap: sandbox.Wrapped}, none}, // without a program, so it cannot start
	} {
		h := New(Options{Env: servertest.Environ(t), Process: ProcessOptions{Keeper: []string{self, "keep"}}})
		asked := 0
		h.sandboxes.find = func() sandbox.Bubble {
			asked++
			return finds[min(asked, len(finds))-1]
		}
		for range 2 {
			if _, err := h.Connect(t.Context(), Config{Path: servertest.Script("raw.py")}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, s := range h.Snapshot().Servers {
			if !s.Sandbox.Confined() || s.Sandbox.Wrap != sandbox.WrapFails || s.Policy.Bubble || s.Policy.Shm {
				t.Errorf("%s: %s, %+v", name, s.Sandbox, s.Policy)
			}
		}
		if asked != len(finds) {
			t.Errorf("%s: it was tried %d times", name, asked)
		}
		h.Close()
	}
}
