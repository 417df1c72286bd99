package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// Unread returns how many bytes in a pipe nobody has read yet; 0 if the pipe is closed.
func Unread(pipe *os.File) (n int) {
	c, err := pipe.SyscallConn()
	if err != nil {
		return 0
	}
	_ = c.Control(func(fd uintptr) { // it fails once the pipe is closed
		if n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ); err != nil {
			n = 0
		}
	})
	return n
}
