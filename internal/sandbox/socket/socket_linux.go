//go:build amd64 || arm64

// Package socket takes over and inspects the sockets of another process.
//
// It owns no policy: its callers decide what to do with a socket.
package socket

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Unconnected reports whether no connect call was made on a socket.
func Unconnected(fd int) bool {
	const closed = 7 // TCP_CLOSE
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	return err == nil && info.State == closed
}

// ParseSockaddr parses a sockaddr, and reports whether it is an IPv4 address mapped to IPv6.
func ParseSockaddr(raw []byte) (to netip.AddrPort, mapped bool, err error) {
	switch family := binary.NativeEndian.Uint16(raw); {
	case family == unix.AF_INET && len(raw) >= 16:
		to = netip.AddrPortFrom(netip.AddrFrom4([4]byte(raw[4:8])), binary.BigEndian.Uint16(raw[2:]))
	case family == unix.AF_INET6 && len(raw) >= 24:
		addr := netip.AddrFrom16([16]byte(raw[8:24]))
		mapped = addr.Is4In6()
		to = netip.AddrPortFrom(addr.Unmap(), binary.BigEndian.Uint16(raw[2:]))
	case family == unix.AF_INET || family == unix.AF_INET6:
		err = unix.EINVAL
	default:
		err = unix.EACCES
	}
	return to, mapped, err
}

// LocalEnd binds a socket, if necessary, and returns its local address. The proxy must know that
// address before the connection exists.
func LocalEnd(fd int, six bool) (netip.AddrPort, error) {
	port, err := boundPort(fd)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if port == 0 {
		if six {
			err = unix.Bind(fd, &unix.SockaddrInet6{Addr: netip.AddrFrom4(loopback.As4()).As16()})
		} else {
			err = unix.Bind(fd, &unix.SockaddrInet4{Addr: loopback.As4()})
		}
		if err == nil {
			port, err = boundPort(fd)
		}
	}
	return netip.AddrPortFrom(loopback, port), err
}

func boundPort(fd int) (uint16, error) {
	sa, err := unix.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return uint16(sa.Port), nil
	case *unix.SockaddrInet6:
		return uint16(sa.Port), nil
	}
	return 0, unix.EACCES
}

// As4 returns an IPv4 address in the form of a socket address. For an IPv6 address it returns zeros.
func As4(a netip.Addr) [4]byte {
	if a.Is4() {
		return a.As4()
	}
	return [4]byte{}
}

// Of duplicates the socket with a descriptor number of the process that has the thread tid. The caller
// must close the duplicate.
func Of(tid, number int) (int, error) {
	// Newer kernels take a thread ID, older ones need the process ID.
	pidfd, err := unix.PidfdOpen(tid, unix.O_EXCL)
	if errors.Is(err, unix.EINVAL) {
		process, ok := processOf(tid)
		if !ok {
			return -1, unix.EACCES
		}
		pidfd, err = unix.PidfdOpen(process, 0)
	}
	if err != nil {
		return -1, err
	}
	defer unix.Close(pidfd)
	fd, err := unix.PidfdGetfd(pidfd, number, 0)
	if errors.Is(err, unix.EPERM) {
		err = unix.EACCES
	}
	return fd, err
}

// loopback is the address of this computer.
var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// processOf returns the process of a thread.
func processOf(tid int) (pid int, ok bool) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(tid) + "/status")
	if err != nil {
		return 0, false
	}
	_, line, _ := strings.Cut(string(status), "\nTgid:\t")
	number, _, ok := strings.Cut(line, "\n")
	pid, err = strconv.Atoi(number)
	return pid, ok && err == nil
}
