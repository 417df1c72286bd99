package sandbox

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// A clientListener lets in whom the deputy announced.
type clientListener struct {
	*net.TCPListener
	proxy *proxy
}

// Accept waits for a connection that the deputy made for the server: no other
// program of this computer gets any further.
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

// A proxyClient is a connection of the server's.
type proxyClient struct {
	*net.TCPConn
	done func()
}

func (g *proxyClient) Close() error {
	defer g.done()
	return g.TCPConn.Close()
}

// begin counts what close waits for, and is false when it waits already.
func (p *proxy) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.wg.Add(1)
	}
	return !p.closed
}
