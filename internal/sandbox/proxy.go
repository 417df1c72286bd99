package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"slices"
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
	room     chan struct{} // holds a token for each connection
	ctx      context.Context
	stop     context.CancelFunc
	wg       sync.WaitGroup // serving, and tunnels

	mu       sync.Mutex
	expected map[netip.AddrPort]bool // the near ends of connections that the deputy made
	guests   map[*guest]bool
	closed   bool
}

// newProxy listens for a server that may reach hosts. close ends it.
func newProxy(hosts []Host, refused func(Host)) (*proxy, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("listening for what the server wants to reach: %w", err)
	}
	p := &proxy{hosts: hosts, refused: refused, listener: l, addr: l.Addr().(*net.TCPAddr).AddrPort(), room: make(chan struct{}, maxTunnels), expected: make(map[netip.AddrPort]bool), guests: make(map[*guest]bool)}
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
			code, why := verdict(err)
			http.Error(w, why, code)
		},
	}
	p.server = http.Server{Handler: p, ReadHeaderTimeout: headerLimit, IdleTimeout: time.Minute, MaxHeaderBytes: headBytes, ErrorLog: quiet}
	p.wg.Go(func() { _ = p.server.Serve(door{p.listener, p}) }) // until close
	return p, nil
}

// close ends all connections, and returns when nothing of the proxy runs.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for g := range p.guests {
		_ = g.TCPConn.Close()
	}
	p.mu.Unlock()
	p.stop()
	_ = p.server.Close() // it ends anyway
	p.forward.Transport.(*http.Transport).CloseIdleConnections()
	p.wg.Wait()
}

// A door lets in whom the deputy announced.
type door struct {
	*net.TCPListener
	p *proxy
}

// Accept waits for a connection that the deputy made for the server: no other
// program of this computer gets any further.
func (d door) Accept() (net.Conn, error) {
	p := d.p
	for {
		select {
		case p.room <- struct{}{}:
		case <-p.ctx.Done():
			return nil, net.ErrClosed
		}
		c, err := d.AcceptTCP()
		if err == nil {
			if g := p.admit(c); g != nil {
				return g, nil
			}
		}
		<-p.room
		switch {
		case err == nil:
			_ = c.Close()
		case p.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return nil, net.ErrClosed
		default: // out of files, or gone before it was taken
			select {
			case <-time.After(10 * time.Millisecond):
			case <-p.ctx.Done():
			}
		}
	}
}

// expect announces a connection by its near end.
func (p *proxy) expect(from netip.AddrPort) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.expected) >= maxExpected {
		return false
	}
	p.expected[from] = true
	return true
}

// forget takes back what expect announced.
func (p *proxy) forget(from netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.expected, from)
}

// admit makes a guest of a connection that was announced, and nil of any other.
func (p *proxy) admit(c *net.TCPConn) *guest {
	from := c.RemoteAddr().(*net.TCPAddr).AddrPort()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.expected[from] || p.closed {
		return nil
	}
	delete(p.expected, from)
	g := &guest{TCPConn: c}
	p.guests[g] = true
	g.leave = sync.OnceFunc(func() {
		p.mu.Lock()
		delete(p.guests, g)
		p.mu.Unlock()
		<-p.room
	})
	return g
}

// A guest is a connection of the server's.
type guest struct {
	*net.TCPConn
	leave func()
}

func (g *guest) Close() error {
	defer g.leave()
	return g.TCPConn.Close()
}

// enter counts what close waits for, and is false when it waits already.
func (p *proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.wg.Add(1)
	}
	return !p.closed
}

// ServeHTTP is part of [http.Handler]. Where to goes by the request's target
// alone: a Host header that says otherwise does not count.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.enter() {
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

// A denial is that a server may not reach a host.
type denial struct {
	host Host
	name string // that led there, if it is another
}

func (r denial) Error() string {
	if r.name != "" {
		return fmt.Sprintf("goated: %s leads to %s, which is this computer or its network, and has to be allowed itself: on the server's page under Permissions, or with --allow-host %s.", r.name, r.host, r.host)
	}
	return fmt.Sprintf("goated: this server may not reach %s; allow it on the server's page under Permissions, or with --allow-host %s.", r.host, r.host)
}

// verdict is how an error is answered.
func verdict(err error) (code int, why string) {
	var no denial
	var bad HostError
	switch {
	case errors.As(err, &no):
		return http.StatusForbidden, no.Error()
	case errors.As(err, &bad):
		return http.StatusBadRequest, "goated: " + bad.Error() + "."
	}
	return http.StatusBadGateway, "goated: it did not answer: " + err.Error()
}

// dial connects to a host with its port, if the server may.
func (p *proxy) dial(ctx context.Context, to string) (net.Conn, error) {
	host, port, err := splitPort(to)
	if err != nil {
		return nil, err
	}
	name, addr, err := canonical(host)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		return nil, HostPort
	}
	want := Host{name: name, addr: addr, port: port}
	if port == 443 || port == 80 {
		want.port = 0
	}
	if !slices.ContainsFunc(p.hosts, func(h Host) bool { return h.admitsName(name, port) || h.admitsAddr(addr, port) }) {
		return nil, p.refuse(denial{host: want})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	found := []netip.Addr{addr}
	switch {
	case name == "localhost":
		found = loopback
	case name != "":
		if found, err = p.resolve(ctx, name); err != nil {
			return nil, err
		}
	}
	var last error
	for _, a := range found {
		if a = a.Unmap(); !p.open(a, port) {
			if last == nil {
				last = denial{host: Host{addr: a, port: want.port}, name: name}
			}
			continue
		}
		d := net.Dialer{Timeout: dialLimit}
		c, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, port).String())
		if err == nil {
			return c, nil
		}
		last = err
	}
	if no, ok := last.(denial); ok {
		return nil, p.refuse(no)
	}
	return nil, last
}

func (p *proxy) refuse(r denial) error {
	p.refused(r.host)
	return r
}

func (p *proxy) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, resolverLimit)
	defer cancel()
	r := p.resolver
	if r == nil {
		r = net.DefaultResolver
	}
	found, err := r.LookupNetIP(ctx, "ip", name)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s has no address", name)
	}
	return found, err
}

// open reports whether a name may lead to an address.
func (p *proxy) open(a netip.Addr, port uint16) bool {
	return public(a) && !ours(a) || p.admits(a, port)
}

// admits reports whether an address was allowed itself.
func (p *proxy) admits(a netip.Addr, port uint16) bool {
	return slices.ContainsFunc(p.hosts, func(h Host) bool { return h.admitsAddr(a, port) })
}

// ours reports whether an address is this computer's, which may have one of the
// Internet.
func ours(a netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(all, func(own net.Addr) bool {
		n, ok := own.(*net.IPNet)
		return ok && n.IP.Equal(a.AsSlice())
	})
}
