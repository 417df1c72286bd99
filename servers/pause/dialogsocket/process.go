package dialogsocket

import (
	"net"
	"strconv"
)

// processKey is the context key for the process that sent a request.
type processKey struct{}

// processOf returns the system's name for the process at the other end of a connection. If the
// system does not provide it, for example over TCP, all processes have the same name.
func processOf(c net.Conn) string {
	unix, ok := c.(*net.UnixConn)
	if !ok {
		return c.RemoteAddr().Network()
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return "unix"
	}
	pid := 0
	if err := raw.Control(func(fd uintptr) { pid = peerPID(int(fd)) }); err != nil || pid == 0 {
		return "unix"
	}
	return strconv.Itoa(pid)
}

// hasExited reports whether a process has certainly exited.
func hasExited(process string) bool {
	pid, err := strconv.Atoi(process)
	return err == nil && !exists(pid)
}
