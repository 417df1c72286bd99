package sandbox

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// accept serves the connections that the notifier announced, each in a goroutine that ends
// with one of its connections. It closes connections of other programs.
func (p *proxy) accept() {
	for {
		select {
		case p.slots <- struct{}{}:
		case <-p.ctx.Done():
			return
		}
		c, err := p.listener.AcceptTCP()
		if err == nil {
			if g, host := p.admit(c); g != nil {
				switch {
				case !p.begin():
					_ = g.Close()
				case host != "":
					go p.relayTo(g, host)
				default:
					go p.serve(g)
				}
				continue
			}
		}
		<-p.slots
		switch {
		case err == nil:
			_ = c.Close()
		case p.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return
		default: // too many open files, or closed by the client
			select {
			case <-time.After(10 * time.Millisecond):
			case <-p.ctx.Done():
			}
		}
	}
}

// expect announces a connection by its local address. host is the connection's host with a port, or
// "" if the connection speaks HTTP.
func (p *proxy) expect(from netip.AddrPort, host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.expected) >= maxExpected {
		return false
	}
	p.expected[from] = host
	return true
}

// forget withdraws an announcement.
func (p *proxy) forget(from netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.expected, from)
}

// admit returns a client with its host for an announced connection, and nil for any other.
func (p *proxy) admit(c *net.TCPConn) (*proxyClient, string) {
	from := c.RemoteAddr().(*net.TCPAddr).AddrPort()
	p.mu.Lock()
	defer p.mu.Unlock()
	host, ok := p.expected[from]
	if !ok || p.closed {
		return nil, ""
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
	return g, host
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

// begin registers work that close waits for. It returns false after close.
func (p *proxy) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.wg.Add(1)
	}
	return !p.closed
}
