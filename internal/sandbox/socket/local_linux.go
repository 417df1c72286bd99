//go:build amd64 || arm64

package socket

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/busfilter"
	"goated/internal/sandbox/caller"
)

// ConnectLocal does a process's connect call for a Unix socket. fd is a copy of the socket, and
// address points to the name in the process's memory. way returns how the process connects to a
// name, or nil if it may not. A name is a path without links, or begins with @ in the socket's
// namespace. ConnectLocal opens the path only once, so the process gains nothing by changing it in
// the meantime. valid returns an error if the process no longer waits.
func ConnectLocal(pid, fd int, address uintptr, length uint32, valid func() error, way func(name string) Way) error {
	const most = 110 // bytes of a sockaddr_un
	raw := make([]byte, min(length, most))
	if len(raw) < 3 {
		return unix.EINVAL
	}
	if err := caller.Memory(pid, address, raw); err != nil {
		return err
	}
	// The data and the socket are the caller's only if the caller still waits.
	if err := valid(); err != nil {
		return err
	}
	name := raw[2:]
	if name[0] == 0 {
		abstract := "@" + string(name[1:])
		connect := way(abstract)
		if connect == nil {
			return unix.EACCES
		}
		return connect(fd, &unix.SockaddrUnix{Name: abstract})
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	path := string(name)
	if !filepath.IsAbs(path) {
		dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
		if err != nil {
			return unix.EACCES
		}
		path = dir + "/" + path // like Linux: ".." leaves the target of a link
	}
	to, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(to)
	self := "/proc/self/fd/" + strconv.Itoa(to)
	where, err := os.Readlink(self)
	if err != nil {
		return unix.EACCES
	}
	connect := way(where)
	if connect == nil {
		return unix.EACCES
	}
	return connect(fd, &unix.SockaddrUnix{Name: self})
}

// A Way connects a socket to an address.
type Way func(fd int, to unix.Sockaddr) error

// Direct returns a Way without a filter, or nil if the process may not connect.
func Direct(may bool) Way {
	if !may {
		return nil
	}
	return unix.Connect
}

// Filtered returns the Way through the filter if name belongs to one of the buses, otherwise the
// direct Way to a listed socket.
func Filtered(f *busfilter.Filter, buses []busfilter.Bus, sockets []string, name string) Way {
	for _, bus := range buses {
		if listed(bus.Sockets, name) {
			return func(fd int, to unix.Sockaddr) error { return f.Connect(fd, to, bus.Rules) }
		}
	}
	return Direct(listed(sockets, name))
}

// listed reports whether a Unix socket has one of some names, or matches one of some patterns of
// [filepath.Match]. The name has no links, but the folder of a pattern may have some.
func listed(sockets []string, name string) bool {
	return slices.ContainsFunc(sockets, func(s string) bool {
		if strings.HasPrefix(s, "@") != strings.HasPrefix(name, "@") {
			return false
		}
		as := []string{s}
		if real, err := filepath.EvalSymlinks(s); err == nil {
			as = append(as, real)
		}
		if real, err := filepath.EvalSymlinks(filepath.Dir(s)); err == nil {
			as = append(as, filepath.Join(real, filepath.Base(s)))
		}
		return slices.ContainsFunc(as, func(s string) bool { fits, err := filepath.Match(s, name); return err == nil && fits })
	})
}
