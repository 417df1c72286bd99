package client

import (
	"fmt"
	"testing"

	"goated/client/diagnose"
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
