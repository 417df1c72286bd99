package dialogsocket

import (
	"errors"

	"golang.org/x/sys/unix"
)

// peerPID returns the process that connected a socket, or 0 if the system does not provide it.
func peerPID(fd int) int {
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return 0
	}
	return pid
}

func exists(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
