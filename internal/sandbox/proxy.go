package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"sync"
	"time"
)

const (
	maxTunnels    = 128              // open connections of one server
	maxExpected   = 4096             // announced connections that are not accepted yet
	headerLimit   = 10 * time.Second // for the head of a request
	dialLimit     = 10 * time.Second // for one address to answer
	headBytes     = 64 << 10         // in the head of a request
	resolverLimit = 10 * time.Second // for one name
)

// A proxy connects a server to its allowed hosts and to nothing else: by HTTP, and by
// CONNECT for other protocols. It resolves names itself and connects to the very address
// that it has checked, so that no name leads into this computer or its network.
type proxy struct {
	reachable
	refused  func(Host)    // called for each refused host
	resolver *net.Resolver // nil: that of the system
	listener *net.TCPListener
	addr     netip.AddrPort
	server   http.Server
	forward  httputil.ReverseProxy
	slots    chan struct{} // holds a token for each connection
	ctx      context.Context
	stop     context.CancelFunc
	wg       sync.WaitGroup // serving, and tunnels

	mu       sync.Mutex
	expected map[netip.AddrPort]string // local addresses of connections that the notifier made, and for which host; empty: it speaks HTTP
	clients  map[*proxyClient]bool
	closed   bool
}

// reachable are the destinations of a server.
type reachable struct {
	hosts      []Host // that it may reach
	registries []Host // of packages; those that it may reach are in hosts too
}

// newProxy starts a proxy for a server that may reach to. close ends it.
func newProxy(to reachable, refused func(Host)) (*proxy, error) {
	l, err := listenProxy()
	if err != nil {
		return nil, err
	}
	return newProxyOn(l, to, refused), nil
}

// listenProxy opens the listener of a proxy, in the network of the current thread.
func listenProxy() (*net.TCPListener, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("starting the proxy of the sandbox: %w", err)
	}
	return l, nil
}

// newProxyOn is newProxy with a listener.
func newProxyOn(l *net.TCPListener, to reachable, refused func(Host)) *proxy {
	p := &proxy{reachable: to, refused: refused, listener: l, addr: l.Addr().(*net.TCPAddr).AddrPort(), slots: make(chan struct{}, maxTunnels), expected: make(map[netip.AddrPort]string), clients: make(map[*proxyClient]bool)}
	p.ctx, p.stop = context.WithCancel(context.Background())
	quiet := slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // stderr belongs to the server
	p.forward = httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.Host = r.In.URL.Host },
		Transport: &http.Transport{
			DialContext:     func(ctx context.Context, _, to string) (net.Conn, error) { return p.dial(ctx, to) },
			MaxIdleConns:    16,
			IdleConnTimeout: time.Minute, DisableCompression: true,
		},
		FlushInterval: -1,
		ErrorLog:      quiet,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			code, why := errorResponse(err)
			http.Error(w, why, code)
		},
	}
	p.server = http.Server{Handler: p, ReadHeaderTimeout: headerLimit, IdleTimeout: time.Minute, MaxHeaderBytes: headBytes, ErrorLog: quiet}
	p.wg.Go(func() { _ = p.server.Serve(clientListener{p.listener, p}) }) // until close
	return p
}

// close ends all connections and returns when the proxy has ended.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for g := range p.clients {
		_ = g.TCPConn.Close()
	}
	p.mu.Unlock()
	p.stop()
	_ = p.server.Close() // it ends in any case
	p.forward.Transport.(*http.Transport).CloseIdleConnections()
	p.wg.Wait()
}

// ServeHTTP is part of [http.Handler]. The target of the request alone says where it
// goes; the Host header does not count.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.begin() {
		return
	}
	defer p.wg.Done()
	switch {
	case r.URL.Host == "" || r.URL.User != nil:
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
		return
	case r.URL.Scheme == "http":
		p.forward.ServeHTTP(w, r)
		return
	}
	http.Error(w, "goated: this is a proxy. Send CONNECT with a host and a port, or an http:// address with a host and without a user.", http.StatusBadRequest)
}
