package clipboard_test

import (
	"os"
	"syscall"
	"testing"
)

// freeze stops a process without ending it.
func freeze(t *testing.T, p *os.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}
