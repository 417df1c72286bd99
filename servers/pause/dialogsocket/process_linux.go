package dialogsocket

import (
	"errors"

	"golang.org/x/sys/unix"
)

// peerPID returns the process that connected a socket, or 0 if the system does not provide it.
func peerPID(fd int) int {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0
	}
	return int(cred.Pid)
}

func exists(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
