//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/nameserver"
)

// A privateNet is a process's own network that has only a loopback interface. A resolver in it
// answers all names with placeholder addresses, and the notifier connects sockets for these
// addresses through the proxy. Programs that do not support a proxy can thus reach the allowed
// hosts too, and the process sees nothing of the computer's network.
type privateNet struct {
	fd    int // of the namespace; -1 if this process's namespace is already private
	proxy *net.TCPListener
	names net.PacketConn // of the resolver
	long  net.Listener   // of the resolver, for long responses
}

// privateProxy is the proxy's address in a private network. Addresses of the computer's own
// loopback are also looked up there, so the proxy needs a unique address. At 127.0.0.1 it could get
// the port of an allowed host and respond instead of it.
var privateProxy = net.IPv4(127, 71, 79, 65)

// close closes everything that newPrivateNet created. The proxy and the resolver close the parts
// that they took over.
func (n *privateNet) close() {
	if n.fd >= 0 {
		_ = unix.Close(n.fd)
	}
}

// newPrivateNet creates a network for a process. That needs the rights of root or a bubble. already
// means that the bubble has a private network.
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
	if err := nameserver.RaiseLoopback(); err != nil && !already { // bubblewrap also raises it
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

// canonicalName returns a name in canonical form. It returns false for an address and for invalid
// text.
func canonicalName(text string) (string, bool) {
	name, addr, err := canonical(text)
	return name, err == nil && !addr.IsValid()
}
