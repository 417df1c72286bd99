package atspi

import (
	"context"
	"net"

	"goated/servers/desktop/atspi/direct"
)

// chromium is the toolkit name of Chromium and Electron. Their cache omits web pages, so a walk asks
// for each element of a page.
const chromium = "Chromium"

// A directConn is a connection to an application that bypasses the bus. The zero value is not
// connected.
type directConn struct {
	asked bool // the application was asked for its socket
	conn  *direct.Conn
}

func (c *directConn) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// connectDirect connects to an application directly if it has its own socket. It does not wait for the
// connection: until then, calls use the bus. The caller holds b.mu.
func connectDirect(b *Bus, a *app) {
	if a.direct.asked {
		return
	}
	a.direct.asked = true
	b.watching.wg.Go(func() {
		ctx, cancel := context.WithTimeout(b.conn.Context(), b.opts.Call)
		defer cancel()
		var address string
		if b.conn.Object(a.info.Root.Bus, rootPath).CallWithContext(ctx, applicationIface+".GetApplicationBusAddress", 0).Store(&address) != nil {
			return // GTK 4 and Qt have none
		}
		dial := b.opts.Dial
		if dial == nil {
			dial = func(ctx context.Context, path string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "unix", path)
			}
		}
		conn, err := direct.Dial(ctx, a.info.Root.Bus, address, dial)
		if err != nil {
			return // a sandbox may not let it connect
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if a.direct.conn = conn; b.apps[a.info.Root.Bus] != a {
			a.direct.close()
		}
	})
}

// ask is like batch for requests to one application. It bypasses the bus if there is a direct
// connection.
func ask(ctx context.Context, b *Bus, app string, next func() (request, bool)) (late, failed int) {
	b.mu.Lock()
	var conn *direct.Conn
	if a := b.apps[app]; a != nil {
		conn = a.direct.conn
	}
	b.mu.Unlock()
	if conn == nil {
		return b.batch(ctx, next)
	}
	var others []request // to objects of other programs that this application refers to
	late, failed, err := conn.Ask(ctx, func() (direct.Question, bool) {
		for {
			r, ok := next()
			if ok && r.ref.Bus != app {
				others = append(others, r)
				continue
			}
			return direct.Question{Path: r.ref.Path, Method: r.method, Args: r.args, Done: r.done}, ok
		}
	})
	if err == nil && len(others) == 0 {
		return late, failed
	}
	other := queue(&others)
	more, wrong := b.batch(ctx, func() (request, bool) {
		if r, ok := other(); ok {
			return r, true
		}
		return next()
	})
	return late + more, failed + wrong
}
