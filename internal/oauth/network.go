package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"goated/internal/weborigin"
)

// requestLimit bounds each request for metadata and tokens.
const requestLimit = 20 * time.Second

// dialLimit bounds each attempt to connect.
const dialLimit = 10 * time.Second

// errPrivate means that a public server named a private address.
var errPrivate = errors.New("it names an address inside your network, which a server on the internet must not")

// errRedirect means that a server redirects where the standards have no redirects.
var errRedirect = errors.New("it redirects to another address")

// httpClient returns a client for what the server at p says. It reaches no further than p, and
// follows no redirects.
func (a *Authority) httpClient(p peer) *http.Client {
	c := &http.Client{
		Timeout:       requestLimit,
		Transport:     a.o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	if c.Transport == nil {
		c.Transport = newGuarded(p, a.proxy)
	}
	return c
}

// A guarded sends each request on its own, or through the proxy of the environment. Only a
// connection to the proxy is unchecked, because the proxy may be local.
type guarded struct {
	reach           reach
	proxy           func(*http.Request) (*url.URL, error)
	direct, proxied *http.Transport
}

func newGuarded(p peer, proxy func(*http.Request) (*url.URL, error)) *guarded {
	g := &guarded{reach: p.reach, proxy: proxy}
	// Addresses are checked when it connects, so that a name cannot change its address in
	// between.
	checked := &net.Dialer{Timeout: dialLimit, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if scope(at.Addr()) > p.reach {
			return errPrivate
		}
		return nil
	}}
	g.direct = transport(nil, func(ctx context.Context, network, address string) (net.Conn, error) {
		return p.dial(ctx, checked, network, address)
	})
	g.proxied = transport(proxy, (&net.Dialer{Timeout: dialLimit}).DialContext)
	return g
}

func transport(proxy func(*http.Request) (*url.URL, error), dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy, t.DialContext, t.MaxResponseHeaderBytes, t.DisableKeepAlives = proxy, dial, 1<<20, true
	return t
}

// RoundTrip implements [http.RoundTripper].
func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	via, err := g.proxy(r)
	if err == nil && via == nil { // also for this computer and for NO_PROXY
		return g.direct.RoundTrip(r)
	}
	if ip, bad := netip.ParseAddr(r.URL.Hostname()); err == nil && bad == nil && scope(ip) > g.reach {
		err = errPrivate
	}
	if err == nil {
		return g.proxied.RoundTrip(r)
	}
	if r.Body != nil {
		_ = r.Body.Close() // "RoundTrip must always close the body, including on errors"
	}
	return nil, err
}

// secure checks that an address is https, or http within the reach of a server on this
// computer.
func secure(what, address string, r reach) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("its %s is not an address", what)
	case u.User != nil:
		return nil, fmt.Errorf("its %s contains a password", what)
	case u.Scheme == "https":
		return u, nil
	case u.Scheme == "http" && r == local && weborigin.IsLoopback(u.Hostname()):
		return u, nil
	}
	return nil, fmt.Errorf("its %s does not use https", what)
}
