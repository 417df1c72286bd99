package client_test

import (
	"os"
	"syscall"
	"testing"
)

// writeProgram writes a program. During the write, no other test starts a process. Such a process
// would briefly hold the file open, and Linux does not run a file that is open for writing.
func writeProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, data, 0o700)
}

// write is writeProgram for the goroutine of a test.
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := writeProgram(path, data); err != nil {
		t.Fatal(err)
	}
}
