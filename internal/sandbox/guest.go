package sandbox

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

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
