package proc

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) >= 2 && os.Args[1] == "keep" { // the tests' own binary is their keeper
		Keep()
	}
	os.Exit(m.Run())
}

// ways runs a test with both ways to start a shell script: with a keeper and without one.
func ways(t *testing.T, test func(t *testing.T, shell func(script string) Command)) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, keeper := range map[string][]string{"bare": nil, "kept": {self, "keep"}} {
		t.Run(name, func(t *testing.T) {
			test(t, func(script string) Command {
				return Command{Program: sh, Args: []string{"-c", script}, Keeper: keeper}
			})
		})
	}
}

// Run returns stdout, the lines of stderr and the exit code.
func TestRun(t *testing.T) {
	ways(t, func(t *testing.T, shell func(string) Command) {
		out, lines, end, err := Run(t.Context(), shell("echo result; echo first >&2; echo second >&2; exit 3"))
		if err != nil || out != "result\n" || !slices.Equal(lines, []string{"first", "second"}) || end != (Exit{Code: 3}) {
			t.Errorf("got %q, %q, %v, %v", out, lines, end, err)
		}
	})
}

// Run does not wait for a descendant that holds stdout open, and kills it.
func TestRunKillsDescendants(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sh has no job control here")
	}
	ways(t, func(t *testing.T, shell func(string) Command) {
		out, _, end, err := Run(t.Context(), shell("sleep 600 & echo $!"))
		if err != nil || end != (Exit{}) || out == "" {
			t.Errorf("got %q, %v, %v", out, end, err)
		}
	})
}

// Run kills the process when its context ends.
func TestRunEndsWithItsContext(t *testing.T) {
	ways(t, func(t *testing.T, shell func(string) Command) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(50*time.Millisecond, cancel) // before or after the start: the result is the same
		_, _, end, err := Run(ctx, shell("exec sleep 600"))
		if err != nil || end.Signal == "" || end.Code != -1 {
			t.Errorf("it ends with %v, %v", end, err)
		}
	})
}

// Start fails with the program's error, with a keeper and without.
func TestStartFails(t *testing.T) {
	ways(t, func(t *testing.T, shell func(string) Command) {
		c := shell("")
		c.Program = "/nonexistent/program"
		if _, err := Start(t.Context(), c, new(LogRing)); !os.IsNotExist(err) {
			t.Errorf("got %v, want an error that the program does not exist", err)
		}
	})
}
