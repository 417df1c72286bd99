//go:build unix

package client_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/servertest"
)

// A server restarts when its script changes, but only once for several writes. It restarts
// again after a mistake in the script is corrected (measured: goated ignored an edit).
func TestAChangedScriptRestartsItsServer(t *testing.T) {
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "dice.js")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(string(dice))
	h := client.New(client.Options{Env: servertest.Environ(t), Process: client.ProcessOptions{Reload: true}})
	defer h.Close()
	id, err := h.Connect(t.Context(), client.Config{Path: script, NoSandbox: true})
	if err != nil {
		t.Fatal(err)
	}
	reached := func(reloads int, status client.Status, tool string) {
		t.Helper()
		until(t, h, fmt.Sprintf("%d reloads, %v, tool %q", reloads, status, tool), func(s client.Snapshot) bool {
			srv := s.Servers[0]
			return srv.Reloads >= reloads && srv.Status == status && (tool == "" || len(srv.Tools) > 0 && srv.Tools[0].Tool.Name == tool)
		})
	}
	reached(0, client.Connected, "roll")
	write("throw new Error('a mistake')\n")
	reached(1, client.Failed, "")
	write("throw new Error('another')\n")
	write(strings.ReplaceAll(string(dice), "roll", "cast"))
	reached(2, client.Connected, "cast")
	if got := h.Snapshot().Servers[0]; got.ID != id {
		t.Errorf("its id is %q now, and was %q", got.ID, id)
	}
}
