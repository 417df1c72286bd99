//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/client"
)

// logLines returns the lines of all runs of a server.
func logLines(h *client.Host, id string) (lines []string) {
	for _, run := range h.Log(id) {
		for _, line := range run.Lines {
			lines = append(lines, line.Text)
		}
	}
	return lines
}

// The log keeps the lines before a crash after the restart, because they show why it happened.
// Old runs are dropped to make room for new ones.
func TestTheLogKeepsTheRunsBefore(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	script := filepath.Join(t.TempDir(), "late.py")
	write := func(says string) {
		if err := os.WriteFile(script, []byte("import os\nos.write(2, b'"+says+"\\n')\nos._exit(3)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("run 0")
	before := time.Now()
	if _, err := h.Connect(t.Context(), client.Config{Path: script}); !errors.Is(err, client.ErrStart) {
		t.Fatalf("it failed with %v", err)
	}
	for n := range 4 {
		write("run " + string(rune('1'+n)))
		if err := h.Restart(t.Context(), "late"); !errors.Is(err, client.ErrStart) {
			t.Fatalf("it failed with %v", err)
		}
	}
	if got := strings.Join(logLines(h, "late"), ", "); got != "run 1, run 2, run 3, run 4" {
		t.Errorf("the log has %s", got)
	}
	for _, run := range h.Log("late") {
		if at := run.Lines[0].At; at.Before(run.Began) || run.Began.Before(before) || at.After(time.Now()) {
			t.Errorf("a run of %s has a line of %s", run.Began, at)
		}
	}
}
