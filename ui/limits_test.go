package ui_test

import (
	"strings"
	"testing"

	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
	"goated/ui"
)

// A server that dies from a limit leads to one question. The answer is saved, and the server's
// page revokes the permission.
func TestALimitIsAllowedForAServer(t *testing.T) {
	if s := sandbox.Probe(); !s.Confined() || !s.Limits {
		t.Skip(s)
	}
	script := serverOf(t, "greedy", "import sys\nkept = [open('/dev/null') for _ in range(9000)]\nprint('it has', len(kept), file=sys.stderr, flush=True)")
	d := hosted(t, ui.Options{})
	d.connect(script)
	d.sees("greedy wants to use 16,384 open files")
	d.answers("Allow for this server")
	d.wrote("it has 9000")
	d.until("the permission is saved", func() bool { return len(d.known(script).Allowed) == 1 })
	if p := d.known(script).Allowed[0]; p.Kind != sandbox.ToLimit || p.Limit != limit.Files || p.Amount != 16384 {
		t.Errorf("saved is %+v", p)
	}
	d.connected()
	d.openServer("greedy", "Permissions")
	d.sees("Allow more open files")
	if !d.Says("16,384 instead of 4,096") || !d.Says("16 GiB instead of 4 GiB") {
		t.Errorf("the page says\n%s", strings.Join(d.Texts(), "\n"))
	}
}
