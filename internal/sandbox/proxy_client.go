package sandbox

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// A clientListener accepts the connections that the notifier announced.
type clientListener struct {
	*net.TCPListener
	proxy *proxy
}

// Accept waits for a connection that the notifier made for the server. It closes
// connections of other programs.
func (d clientListener) Accept() (net.Conn, error) {
	p := d.proxy
	for {
		select {
		case p.slots <- struct{}{}:
		case <-p.ctx.Done():
			return nil, net.ErrClosed
		}
		c, err := d.AcceptTCP()
		if err == nil {
			if g := p.admit(c); g != nil {
				return g, nil
			}
		}
		<-p.slots
		switch {
		case err == nil:
			_ = c.Close()
		case p.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return nil, net.ErrClosed
		default: // too many open files, or closed by the client
			select {
			case <-time.After(10 * time.Millisecond):
			case <-p.ctx.Done():
			}
		}
	}
}

// expect announces a connection by its local address.
func (p *proxy) expect(from netip.AddrPort) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.expected) >= maxExpected {
		return false
	}
	p.expected[from] = true
	return true
}

// forget withdraws an announcement.
func (p *proxy) forget(from netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.expected, from)
}

// admit returns a client for an announced connection, and nil for any other.
func (p *proxy) admit(c *net.TCPConn) *proxyClient {
	from := c.RemoteAddr().(*net.TCPAddr).AddrPort()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.expected[from] || p.closed {
		return nil
	}
	delete(p.expected, from)
	g := &proxyClient{TCPConn: c}
	p.clients[g] = true
	g.done = sync.OnceFunc(func() {
		p.mu.Lock()
		delete(p.clients, g)
		p.mu.Unlock()
		<-p.slots
	})
	return g
}

// A proxyClient is a connection from the server.
type proxyClient struct {
	*net.TCPConn
	done func()
}

func (g *proxyClient) Close() error {
	defer g.done()
	return g.TCPConn.Close()
}

// begin registers work that close waits for. It reports false after close.
func (p *proxy) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.wg.Add(1)
	}
	return !p.closed
}
