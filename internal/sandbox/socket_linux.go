//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"errors"
	"net/netip"

	"golang.org/x/sys/unix"
)

// unconnected reports whether no connect call was made on a socket.
func unconnected(fd int) bool {
	const closed = 7 // TCP_CLOSE
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	return err == nil && info.State == closed
}

// parseSockaddr parses a sockaddr, and reports whether it is an IPv4 address mapped to IPv6.
func parseSockaddr(raw []byte) (to netip.AddrPort, mapped bool, err error) {
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

// localEnd binds a socket, if necessary, and returns its local address: the proxy must know
// it before the connection exists.
func localEnd(fd int, six bool) (netip.AddrPort, error) {
	port, err := boundPort(fd)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if port == 0 {
		if six {
			err = unix.Bind(fd, &unix.SockaddrInet6{Addr: netip.AddrFrom4(loopback[0].As4()).As16()})
		} else {
			err = unix.Bind(fd, &unix.SockaddrInet4{Addr: loopback[0].As4()})
		}
		if err == nil {
			port, err = boundPort(fd)
		}
	}
	return netip.AddrPortFrom(loopback[0], port), err
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

func as4(a netip.Addr) [4]byte {
	if a.Is4() {
		return a.As4()
	}
	return [4]byte{}
}

// socketOf duplicates a socket of the process.
func socketOf(tid, number int) (int, error) {
	// Newer kernels take a thread; older ones need its process.
	pidfd, err := unix.PidfdOpen(tid, unix.O_EXCL)
	if errors.Is(err, unix.EINVAL) {
		of, staterr := readProcInfo(tid)
		if staterr != nil {
			return -1, unix.EACCES
		}
		pidfd, err = unix.PidfdOpen(of.process, 0)
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
