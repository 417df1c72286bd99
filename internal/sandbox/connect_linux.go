//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/busfilter"
	"goated/internal/sandbox/caller"
	"goated/internal/sandbox/nameserver"
	"goated/internal/sandbox/socket"
)

const (
	maxConnects = 32                     // connections that wait for a response at the same time
	connectLook = 200 * time.Millisecond // interval of the checks whether the caller still waits
	// connectLimit is Linux's own timeout for a connection.
	connectLimit = 130 * time.Second
	dnsPort      = 53
)

// A connector connects sockets for a confined process, to the proxy and to addresses that the
// policy allows. It reads and checks the address and then connects the process's socket to it. The
// process connects nothing itself, so it gains nothing by modifying its memory in between.
type connector struct {
	proxy   *proxy
	refused func(Host)
	desktop bool     // the process may use Unix sockets
	local   []string // folders with the sockets that a browser may reach; may be nil
	sockets []string // of other programs, see [Enclosure]; may be nil
	buses   []busfilter.Bus
	filter  *busfilter.Filter  // to buses; nil if there are none
	private *nameserver.Server // of a private network; nil if the process uses the computer's network
	slots   chan struct{}
	wg      sync.WaitGroup
	stopped chan struct{} // closed when the notifier ends
}

// connect handles a connect or listen call in a separate goroutine, because the other side may be
// slow.
func (n *notifier) connect(fd uintptr, r request) {
	select {
	case n.network.slots <- struct{}{}:
	default:
		n.respond(fd, response{id: r.id, errno: -int32(unix.EAGAIN)})
		return
	}
	n.network.wg.Go(func() {
		defer func() { <-n.network.slots }()
		out := response{id: r.id}
		on, err := n.network.handle(r, func() error { return n.valid(r) })
		switch {
		case on:
			out.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		case err != nil:
			out.errno = -int32(errnoOf(err, unix.EACCES))
		}
		n.control(func(fd uintptr) { n.respond(fd, out) })
	})
}

// handle connects the socket, or reports that the kernel may continue the call. The kernel may do
// that for Unix sockets, because Landlock prevents the process from substituting a TCP socket.
func (c *connector) handle(r request, valid func() error) (goOn bool, err error) {
	fd, err := socket.Of(int(r.pid), int(int32(r.argument[0])))
	if err != nil {
		return false, err
	}
	defer unix.Close(fd)
	family, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return false, err
	}
	if family == unix.AF_UNIX && c.desktop {
		if r.listens() {
			return false, unix.Listen(fd, int(int32(r.argument[1])))
		}
		return true, nil
	}
	if family == unix.AF_UNIX && len(c.sockets)+len(c.buses) > 0 && !r.listens() {
		return false, socket.ConnectLocal(int(r.pid), fd, uintptr(r.argument[1]), uint32(r.argument[2]), valid, func(name string) socket.Way { return socket.Filtered(c.filter, c.buses, c.sockets, name) })
	}
	if c.proxy == nil {
		return false, unix.EACCES
	}
	if family == unix.AF_UNIX && c.local != nil {
		return false, c.connectLocal(r, fd, valid)
	}
	protocol, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PROTOCOL)
	if c.private != nil && err == nil && protocol == unix.IPPROTO_UDP && uintptr(r.nr) == unix.SYS_CONNECT {
		return true, nil // nothing else is there but the resolver
	}
	if err != nil || protocol != unix.IPPROTO_TCP || family != unix.AF_INET && family != unix.AF_INET6 || uintptr(r.nr) != unix.SYS_CONNECT {
		return false, unix.EACCES
	}
	raw := make([]byte, min(uint32(r.argument[2]), unix.SizeofSockaddrInet6))
	if len(raw) < 2 {
		return false, unix.EINVAL
	}
	if err := caller.Memory(int(r.pid), uintptr(r.argument[1]), raw); err != nil {
		return false, err
	}
	// The data and the socket are the caller's only if the caller still waits.
	if err := valid(); err != nil {
		return false, err
	}
	to, mapped, err := socket.ParseSockaddr(raw)
	if err != nil {
		return false, err
	}
	switch addr := to.Addr(); {
	case to == c.proxy.addr && !socket.Unconnected(fd):
		return false, c.dial(fd, to, mapped, valid) // a repeated call gets its result, and no second connection
	case to == c.proxy.addr:
		return false, c.toProxy(fd, family, "", mapped, valid)
	case c.private != nil && addr == loopback[0] && to.Port() == dnsPort:
		return false, c.dial(fd, to, mapped, valid)
	case c.private != nil && c.private.Name(addr) != "":
		host := net.JoinHostPort(c.private.Name(addr), strconv.Itoa(int(to.Port())))
		if c.proxy.check(host) != nil {
			return false, unix.EACCES
		}
		return false, c.toProxy(fd, family, host, mapped || family == unix.AF_INET6, valid)
	case c.proxy.admits(addr, to.Port()) && c.private != nil:
		return false, c.toProxy(fd, family, to.String(), mapped || family == unix.AF_INET6, valid)
	case c.proxy.admits(addr, to.Port()):
		return false, c.dial(fd, to, mapped, valid)
	default:
		// The address of a resolver does not reveal the names that it resolves.
		if !addr.IsUnspecified() && !addr.IsMulticast() && to.Port() != 0 && to.Port() != dnsPort {
			h := Host{addr: addr, port: to.Port()}
			if h.port == 443 || h.port == 80 {
				h.port = 0
			}
			if c.private != nil && c.proxy.questions.Holds(h.String()) {
				return false, c.toProxy(fd, family, to.String(), mapped || family == unix.AF_INET6, valid)
			}
			c.refused(h)
		}
		return false, unix.EACCES
	}
}

// toProxy connects a socket to the proxy. host is a host with a port, or "" to speak HTTP with the
// proxy itself.
func (c *connector) toProxy(fd, family int, host string, mapped bool, valid func() error) error {
	if host != "" && !socket.Unconnected(fd) {
		return c.dial(fd, c.proxy.addr, mapped, valid) // a repeated call gets its result
	}
	from, err := socket.LocalEnd(fd, family == unix.AF_INET6)
	if err != nil {
		return err
	}
	if !c.proxy.expect(from, host) {
		return unix.EAGAIN
	}
	err = c.dial(fd, c.proxy.addr, mapped, valid)
	if err != nil && !errors.Is(err, unix.EINPROGRESS) {
		c.proxy.forget(from)
	}
	return err
}

// dial connects a socket. For a blocking socket it waits for the connection as long as the caller
// waits.
func (c *connector) dial(fd int, to netip.AddrPort, mapped bool, valid func() error) error {
	var sa unix.Sockaddr = &unix.SockaddrInet4{Port: int(to.Port()), Addr: socket.As4(to.Addr())}
	if mapped || to.Addr().Is6() {
		sa = &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return err
	}
	if flags&unix.O_NONBLOCK != 0 {
		return unix.Connect(fd, sa)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags|unix.O_NONBLOCK); err != nil {
		return err
	}
	defer unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags)
	if err := unix.Connect(fd, sa); !errors.Is(err, unix.EINPROGRESS) {
		return err
	}
	limit, late := connectLimit, unix.ETIMEDOUT
	if own, err := unix.GetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO); err == nil && own.Nano() > 0 && own.Nano() < int64(limit) {
		limit, late = time.Duration(own.Nano()), unix.EINPROGRESS
	}
	for began := time.Now(); time.Since(began) < limit; {
		select {
		case <-c.stopped:
			return unix.EINTR
		default:
		}
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		n, err := unix.Poll(ready, int(connectLook/time.Millisecond))
		switch {
		case err != nil && !errors.Is(err, unix.EINTR):
			return err
		case n > 0:
			errno, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
			if err == nil && errno != 0 {
				err = unix.Errno(errno)
			}
			return err
		}
		if err := valid(); err != nil {
			return err
		}
	}
	return late
}

// valid returns an error if the caller no longer waits for the result.
func (n *notifier) valid(r request) error {
	err := error(unix.ENOENT)
	n.control(func(fd uintptr) { err = stillWaits(fd, r) })
	return err
}
