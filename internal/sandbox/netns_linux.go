//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/nameserver"
)

// A privateNet is a network of a process's own, with nothing but a loopback: an own
// resolver answers all names with addresses that stand for them, and the notifier
// connects sockets to these by the proxy. So programs that know no proxy reach the
// allowed hosts too, and the process sees nothing of the computer's network.
type privateNet struct {
	fd    int // of the namespace; -1: the namespace of this process is private already
	proxy *net.TCPListener
	names net.PacketConn // of the resolver
	long  net.Listener   // of the resolver, for long answers
}

// privateProxy is the address of the proxy in a private network. Addresses of the computer's
// own loopback are looked up there, too, so the proxy has an address that nothing else has:
// at 127.0.0.1 it could get the port of an allowed host, and would answer in its place.
var privateProxy = net.IPv4(127, 71, 79, 65)

// close closes what was made. Proxy and resolver close what they took over.
func (n *privateNet) close() {
	if n.fd >= 0 {
		_ = unix.Close(n.fd)
	}
}

// newPrivateNet makes a network for a process. It needs the right to do so: of root, or
// in a bubble. already says that the bubble has a private network.
func newPrivateNet(already bool) (n *privateNet, err error) {
	onThreadThatEnds(func() { n, err = enterPrivateNet(already) }) // the thread is in the namespace
	return n, err
}

func enterPrivateNet(already bool) (n *privateNet, err error) {
	n = &privateNet{fd: -1}
	if !already {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return nil, fmt.Errorf("making a network namespace: %w", err)
		}
		if n.fd, err = unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return nil, fmt.Errorf("opening a network namespace: %w", err)
		}
	}
	defer func() {
		if err != nil {
			n.close()
			for _, c := range []interface{ Close() error }{n.proxy, n.names, n.long} {
				if c != nil && c != (*net.TCPListener)(nil) {
					_ = c.Close()
				}
			}
		}
	}()
	if err := nameserver.RaiseLoopback(); err != nil && !already { // bubblewrap raises it, too
		return nil, err
	}
	if n.names, err = net.ListenPacket("udp4", "127.0.0.1:53"); err != nil {
		return nil, fmt.Errorf("starting the resolver of the sandbox: %w", err)
	}
	if n.long, err = net.Listen("tcp4", "127.0.0.1:53"); err != nil {
		return nil, fmt.Errorf("starting the resolver of the sandbox: %w", err)
	}
	if n.proxy, err = listenProxy(privateProxy); err != nil {
		return nil, err
	}
	return n, nil
}

// enter moves the current thread into the namespace.
func (n *privateNet) enter() error {
	if n == nil || n.fd < 0 {
		return nil
	}
	if err := unix.Setns(n.fd, unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("entering the network namespace: %w", err)
	}
	return nil
}

// canonicalName returns a name in canonical form, and false for an address or no name.
func canonicalName(text string) (string, bool) {
	name, addr, err := canonical(text)
	return name, err == nil && !addr.IsValid()
}
