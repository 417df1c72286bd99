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
	maxTunnels    = 128              // connections of one server that are open at once
	maxExpected   = 4096             // that were made, and not yet accepted
	headerLimit   = 10 * time.Second // for a request's head to be there
	dialLimit     = 10 * time.Second // for one address to answer
	headBytes     = 64 << 10
	resolverLimit = 10 * time.Second
)

// A proxy is what a server reaches its hosts through, and nothing else: by HTTP,
// and by CONNECT for whatever it speaks with them. It finds their addresses
// itself, and connects to the very address that it has looked at, so that no
// name leads into this computer or its network later.
type proxy struct {
	hosts    []Host
	refused  func(Host)    // is told what was refused
	resolver *net.Resolver // nil: the system's
	listener *net.TCPListener
	addr     netip.AddrPort
	server   http.Server
	forward  httputil.ReverseProxy
	slots    chan struct{} // holds a token for each connection
	ctx      context.Context
	stop     context.CancelFunc
	wg       sync.WaitGroup // serving, and tunnels

	mu       sync.Mutex
	expected map[netip.AddrPort]bool // the near ends of connections that the deputy made
	clients  map[*proxyClient]bool
	closed   bool
}

// newProxy listens for a server that may reach hosts. close ends it.
func newProxy(hosts []Host, refused func(Host)) (*proxy, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("listening for what the server wants to reach: %w", err)
	}
	p := &proxy{hosts: hosts, refused: refused, listener: l, addr: l.Addr().(*net.TCPAddr).AddrPort(), slots: make(chan struct{}, maxTunnels), expected: make(map[netip.AddrPort]bool), clients: make(map[*proxyClient]bool)}
	p.ctx, p.stop = context.WithCancel(context.Background())
	quiet := slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // stderr is the server's
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
	return p, nil
}

// close ends all connections, and returns when nothing of the proxy runs.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for g := range p.clients {
		_ = g.TCPConn.Close()
	}
	p.mu.Unlock()
	p.stop()
	_ = p.server.Close() // it ends anyway
	p.forward.Transport.(*http.Transport).CloseIdleConnections()
	p.wg.Wait()
}

// ServeHTTP is part of [http.Handler]. Where to goes by the request's target
// alone: a Host header that says otherwise does not count.
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
	http.Error(w, "goated: this is a proxy: it takes CONNECT with a host and a port, and http:// with a host, without a user.", http.StatusBadRequest)
}
