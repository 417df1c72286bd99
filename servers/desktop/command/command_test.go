//go:build unix

package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/waittest"
)

// If the user stopped a command, the error claimed that the time limit had passed.
func TestTheReasonOfTheEndIsTrue(t *testing.T) {
	begun := filepath.Join(t.TempDir(), "begun")
	sh := func(script string) Command {
		return Command{Args: []string{"/bin/sh", "-c", script}, Env: os.Environ()}
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan Result, 1)
	go func() { done <- Run(ctx, sh("echo one; : > "+begun+"; sleep 60"), time.Minute) }()
	waittest.Until(t, "the command runs", func() bool {
		_, err := os.Stat(begun)
		return err == nil
	})
	stop()
	for _, c := range []struct {
		name, says, stdout string
		out                Result
	}{
		{"stopped", "the command was stopped before its end", "one\n", <-done},
		{"stopped before its start", "the command was stopped before its end", "", Run(ctx, sh("echo one"), time.Minute)},
		{"over its limit", "the command did not end within 50ms", "", Run(t.Context(), sh("sleep 60"), 50*time.Millisecond)},
		{"ended", "", "one\n", Run(t.Context(), sh("echo one"), time.Minute)},
		{"failed", "exit status 3", "", Run(t.Context(), sh("exit 3"), time.Minute)},
	} {
		if c.out.Error != c.says || c.out.Stdout != c.stdout {
			t.Errorf("%s: %q with %q, want %q with %q", c.name, c.out.Error, c.out.Stdout, c.says, c.stdout)
		}
	}
	background := Run(t.Context(), sh("echo one; sleep 5 & exit 0"), time.Minute)
	if background.Code != 0 || background.Error != "" || background.Stdout != "one\n" || !strings.Contains(background.Stderr, "still runs") {
		t.Errorf("a command that leaves a program in the background: %+v", background)
	}
	if got := Check(ctx, "echo", time.Minute); got != "the check was stopped before its end" {
		t.Errorf("a check that was stopped says %q", got)
	}
	if got := Check(t.Context(), "if", time.Minute); got == "" {
		t.Error("a wrong script is right")
	}
}
