package proctest

import (
	"os"
	"syscall"
)

// WriteProgram writes a file that only its owner can read, write and execute. During the write no other
// test of the process starts a program. Such a program would hold the file open for a moment, and Linux
// does not execute a file that is open for writing ("text file busy").
func WriteProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, data, 0o700)
}
