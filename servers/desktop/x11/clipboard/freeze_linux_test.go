package clipboard_test

import (
	"os"
	"testing"

	"goated/servers/desktop/x11/x11test"
)

// freeze stops a process without ending it.
func freeze(t *testing.T, p *os.Process) {
	t.Helper()
	x11test.Stop(t, p.Pid)
}
