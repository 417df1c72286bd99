package door

import (
	"net"
	"strconv"
)

// processKey is the key of the process in the context of a request.
type processKey struct{}

// processOf names the process at the other end of a connection, as the system knows it. All
// processes have the same name where the system does not say, such as over TCP.
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
	if err := raw.Control(func(fd uintptr) { pid = peer(int(fd)) }); err != nil || pid == 0 {
		return "unix"
	}
	return strconv.Itoa(pid)
}

// ended reports whether a process is known to have ended.
func ended(process string) bool {
	pid, err := strconv.Atoi(process)
	return err == nil && !exists(pid)
}
