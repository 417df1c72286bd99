package client

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/client/diagnose"
	"goated/internal/gobuild"
	"goated/internal/proc"
	"goated/internal/sandbox"
)

// Each fault that goated itself detects reaches the diagnosis, however it is wrapped.
func TestFaultsReachTheDiagnosis(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]diagnose.Cause{
		errFlood: diagnose.Flood, errNoise: diagnose.NotMCP, errStdinClosed: diagnose.StdinClosed,
		errStdoutClosed: diagnose.StdoutClosed, errUnread: diagnose.InputUnread, errStartCancelled: diagnose.StartCancelled,
		errCannotAsk: diagnose.SandboxMissing, errUnconfined: diagnose.SandboxMissing,
	} {
		s := newServer(New(Options{}), Config{Path: "/a/server.py"})
		e := &Error{Kind: ErrProtocol, Err: fmt.Errorf("%w, last: x", err)}
		s.diagnose(e)
		s.host.Close()
		if e.Report.Cause != want {
			t.Errorf("%v: the cause is %q, want %q", err, e.Report.Cause, want)
		}
	}
	if f := faultOf(&Error{Kind: ErrProtocol, Err: fmt.Errorf("x")}); f != diagnose.NoFault {
		t.Errorf("another error has the fault %v", f)
	}
}

// The card of a Go server that does not compile has the whole output of go. It had only the last line, which
// is "go get" if a package is missing, so the card did not name the package.
func TestCompileErrorKeepsItsOutput(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	defer h.Close()
	s := newServer(h, Config{Path: "/a/server.go"})
	output := []string{"server.go:3:8: no required module provides package a.test/b; to add it:", "\tgo get a.test/b"}
	e := &Error{Kind: ErrStart, Subject: s.config.Path, Err: &gobuild.CompileError{Output: output}, Stderr: output}
	s.diagnose(e)
	if !slices.Equal(e.Stderr, output) || e.Report.Cause != diagnose.GoPackage || e.Report.Args.Subject != "a.test/b" {
		t.Errorf("the card has %q and %+v", e.Stderr, e.Report.Diagnosis)
	}
}

// A repair may fail, for example because the disk is full. goated then restarted the server again and again.
func TestFailedRepairRestartsNothing(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(store, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := New(Options{})
	defer h.Close()
	s := newServer(h, Config{Command: "uvx", Args: []string{"dice"}})
	s.run = proc.Command{Program: "/bin/uvx", Policy: &sandbox.Policy{Packages: sandbox.Packages{Store: store}}}
	e := &Error{Kind: ErrStart, Subject: "uvx", Err: errors.New("ModuleNotFoundError: No module named 'mcp.server.fastmcp'")}
	s.diagnose(e)
	if err := repaired(t.Context(), s, e); err != e || e.Report.Cause != diagnose.OlderLibrary {
		t.Errorf("it is %q, and a start returns %v", e.Report.Cause, err)
	}
}

// A report masks the secrets of its server, because the user sends it to others.
func TestReportMasksTheSecretsOfItsServer(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	defer h.Close()
	s := newServer(h, Config{Path: "/a/server.py", Env: []string{"TOKEN=blue-horse-4711"}})
	e := &Error{Kind: ErrStart, Err: errors.New("exit status 1")}
	s.diagnose(e)
	if got := e.Report.Masked("bad token blue-horse-4711"); got != "bad token [secret]" {
		t.Errorf("it says %q", got)
	}
}
