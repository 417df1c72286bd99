//go:build amd64 || arm64

package sandbox

import (
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/socket"
)

// A browser consists of many processes that communicate over Unix sockets. With the permission for
// a browser, a process may create such sockets, and the notifier connects them to sockets in its
// own network namespace and below the folders that it can write.

// isBrowser reports whether a thread belongs to a browser.
func isBrowser(tid int) bool {
	exe, err := os.Readlink("/proc/" + strconv.Itoa(tid) + "/exe")
	return err == nil && browser.IsProgram(exe)
}

// listens reports whether a call makes a socket listen.
func (r request) listens() bool { return uintptr(r.nr) == unix.SYS_LISTEN }

// connectLocal connects a Unix socket of the process, or makes it listen.
func (c *connector) connectLocal(r request, fd int, valid func() error) error {
	if r.listens() {
		if err := valid(); err != nil {
			return err
		}
		return unix.Listen(fd, int(int32(r.argument[1])))
	}
	return socket.ConnectLocal(int(r.pid), fd, uintptr(r.argument[1]), uint32(r.argument[2]), valid, func(name string) socket.Way {
		// An abstract name is in the socket's namespace, which belongs to the process.
		return socket.Direct(name[0] == '@' || slices.ContainsFunc(c.local, func(dir string) bool { return paths.Within(name, dir) }))
	})
}

// onlyStreams refuses datagram Unix sockets, because they can send to any socket with a path without
// connecting to it.
func onlyStreams() rule {
	const kinds = 0xf // of a socket, without flags
	return rule{nr: unix.SYS_SOCKET, errno: unix.EACCES, where: []condition{{arg: 0, in: []uint32{unix.AF_UNIX}}, {arg: 1, mask: kinds, in: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, not: true}}}
}

// browserRules returns the rules for Unix sockets. If the process may not run a browser, the
// notifier only reports a browser that starts.
func browserRules(allowed bool) []rule {
	local := condition{arg: 0, in: []uint32{unix.AF_UNIX}}
	if !allowed {
		return []rule{{nr: unix.SYS_SOCKET, where: []condition{local}}}
	}
	return []rule{onlyStreams(), {nr: unix.SYS_LISTEN}}
}
