//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goated/client"
)

// A server that exits before it reads the greeting starts once. It started a second time with the
// older greeting, which can't help it, so a missing module or a missing key took twice as long to
// report. A server that exits at the greeting starts again.
func TestAServerThatReadsNoGreetingStartsOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process has read")
	}
	for reads, want := range map[string]string{"": "x", "read line; ": "xx"} {
		starts := filepath.Join(t.TempDir(), "starts")
		c := client.Config{Command: "/bin/sh", Args: []string{"-c", "printf x >>" + quoted(starts) + "; " + reads + "exit 3"}, NoSandbox: true}
		if _, err := host(t, client.Options{}).Connect(t.Context(), c); !errors.Is(err, client.ErrStart) {
			t.Errorf("it failed with %v", err)
		}
		if got, err := os.ReadFile(starts); err != nil || string(got) != want {
			t.Errorf("after %q it started %q, want %q; %v", reads, got, want, err)
		}
	}
}
