//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/servertest"
)

// A server of the present protocol that needs longer to start than it gets for
// its first answer, as Python does on a busy machine, connects all the same.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	dice, err := os.ReadFile(servertest.Script("dice.py"))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "slow.py")
	if err := os.WriteFile(script, []byte("import time\ntime.sleep(3.5)\n"+string(dice)), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: script})
	r, err := h.Call(t.Context(), id+"__roll", map[string]any{"sides": 1}, nil)
	if err != nil || !strings.Contains(said(t, r), "1") {
		t.Errorf("%v, %v", r, err)
	}
}
