package sandbox

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"goated/internal/sandbox/hold"
)

const (
	maxTunnels    = 128              // open connections of one server
	maxExpected   = 4096             // announced connections that are not accepted yet
	headerLimit   = 10 * time.Second // to receive the head of a request
	dialLimit     = 10 * time.Second // for one address to respond
	resolverLimit = 10 * time.Second // to resolve one name
)

// A proxy connects a server to its allowed hosts only, by HTTP, and by CONNECT for other protocols.
// It resolves names itself and connects to the exact address that it has checked, so no name can
// lead into this computer or its network.
type proxy struct {
	reachable
	refused   func(Host)    // called for each refused host
	resolver  *net.Resolver // nil means the system's resolver
	listener  *net.TCPListener
	addr      netip.AddrPort
	slots     chan struct{} // holds a token for each connection
	ctx       context.Context
	stop      context.CancelFunc
	wg        sync.WaitGroup  // the accept loop and the tunnels
	questions *hold.Questions // asks about hosts that the server may not reach; nil refuses them

	mu       sync.Mutex                // also guards hosts
	expected map[netip.AddrPort]string // local addresses of the connections that the notifier made, with their host; an empty host means that it speaks HTTP
	clients  map[*proxyClient]bool
	closed   bool
}

// reachable describes a server's destinations.
type reachable struct {
	hosts      []Host     // that the server may reach
	registries []Host     // package registries; the allowed ones are in hosts too
	unanswered func(Host) // called for each allowed host that does not respond; may be nil
	ask        hold.Ask   // asks about other hosts; nil refuses them
}

// newProxy starts a proxy for a server with the destinations to. The caller must call close.
func newProxy(to reachable, refused func(Host)) (*proxy, error) {
	l, err := listenProxy(net.IPv4(127, 0, 0, 1))
	if err != nil {
		return nil, err
	}
	return newProxyOn(l, to, refused), nil
}

// listenProxy opens a proxy's listener at an address, in the network of the current thread.
func listenProxy(at net.IP) (*net.TCPListener, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: at})
	if err != nil {
		return nil, fmt.Errorf("starting the proxy of the sandbox: %w", err)
	}
	return l, nil
}

// newProxyOn is newProxy with a listener.
func newProxyOn(l *net.TCPListener, to reachable, refused func(Host)) *proxy {
	p := &proxy{reachable: to, refused: refused, listener: l, addr: l.Addr().(*net.TCPAddr).AddrPort(), slots: make(chan struct{}, maxTunnels), expected: make(map[netip.AddrPort]string), clients: make(map[*proxyClient]bool)}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.questions = hold.New(p.ctx, to.ask, p.allow)
	p.wg.Go(p.accept) // until close
	return p
}

// close ends all connections and returns when the proxy has stopped.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for g := range p.clients {
		_ = g.TCPConn.Close()
	}
	p.mu.Unlock()
	p.stop()
	_ = p.listener.Close() // it ends in any case
	p.wg.Wait()
}
