//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/caller"
)

// A browser is many processes that talk over Unix sockets. With the permission for a
// browser, a process makes such sockets, and the notifier connects them: to sockets below
// the folders that the process can write, and in its own network namespace.

// isBrowser reports whether a thread belongs to a browser.
func isBrowser(tid int) bool {
	exe, err := os.Readlink("/proc/" + strconv.Itoa(tid) + "/exe")
	return err == nil && browser.IsProgram(exe)
}

// connectLocal connects a Unix socket of the process, or makes it listen.
func (c *connector) connectLocal(r request, fd int, valid func() error) error {
	if uintptr(r.nr) == unix.SYS_LISTEN {
		if err := valid(); err != nil {
			return err
		}
		return unix.Listen(fd, int(int32(r.argument[1])))
	}
	const most = 110 // bytes of a sockaddr_un
	raw := make([]byte, min(uint32(r.argument[2]), most))
	if len(raw) < 3 {
		return unix.EINVAL
	}
	if err := caller.Memory(int(r.pid), uintptr(r.argument[1]), raw); err != nil {
		return err
	}
	// The data and the socket came from the caller only if the caller still waits.
	if err := valid(); err != nil {
		return err
	}
	name := raw[2:]
	if name[0] == 0 { // in the namespace of the socket, which is the process's own
		return unix.Connect(fd, &unix.SockaddrUnix{Name: "@" + string(name[1:])})
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	path := string(name)
	if !filepath.IsAbs(path) {
		dir, err := os.Readlink("/proc/" + strconv.Itoa(int(r.pid)) + "/cwd")
		if err != nil {
			return unix.EACCES
		}
		path = filepath.Join(dir, path)
	}
	to, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(to)
	self := "/proc/self/fd/" + strconv.Itoa(to)
	where, err := os.Readlink(self)
	if err != nil || !slices.ContainsFunc(c.local, func(dir string) bool { return within(where, dir) }) {
		return unix.EACCES
	}
	return unix.Connect(fd, &unix.SockaddrUnix{Name: self})
}

// browserRules are the rules for Unix sockets of a process that may run a browser, or of
// one that may not: then the notifier reports a browser that starts.
func browserRules(allowed bool) []rule {
	local := condition{arg: 0, in: []uint32{unix.AF_UNIX}}
	if !allowed {
		return []rule{{nr: unix.SYS_SOCKET, where: []condition{local}}}
	}
	const kinds = 0xf // of a socket, without flags
	return []rule{
		// Others can send to any socket with a path.
		{nr: unix.SYS_SOCKET, errno: unix.EACCES, where: []condition{local, {arg: 1, mask: kinds, in: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, not: true}}},
		{nr: unix.SYS_LISTEN},
	}
}
