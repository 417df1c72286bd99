package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// waiting reports whether a pipe holds unread bytes.
func waiting(pipe *os.File) (yes bool) {
	c, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	_ = c.Control(func(fd uintptr) { // it fails once the pipe is closed
		n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ)
		yes = err == nil && n > 0
	})
	return yes
}
