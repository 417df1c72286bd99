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

// requestLimit is the time limit of each request for metadata or tokens.
const requestLimit = 20 * time.Second

// dialLimit is the time limit of each attempt to connect.
const dialLimit = 10 * time.Second

// errPrivate means that a public server gave a private address.
var errPrivate = errors.New("it names an address inside your network, which a server on the internet must not")

// errRedirect means that a server redirects a request for which the standards have no redirects.
var errRedirect = errors.New("it redirects to another address")

// httpClient returns a client for addresses that the server at p gives. It connects to no address
// beyond the reach of p, and follows no redirects.
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

// A guarded sends each request directly, or through the proxy of the environment. Only the address
// of the proxy itself is unchecked, because a proxy may be local.
type guarded struct {
	reach           reach
	proxy           func(*http.Request) (*url.URL, error)
	direct, proxied *http.Transport
}

func newGuarded(p peer, proxy func(*http.Request) (*url.URL, error)) *guarded {
	g := &guarded{reach: p.reach, proxy: proxy}
	// The check runs when the address is known and before it is used. So a name cannot resolve to
	// another address between the two.
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
	if err == nil && via == nil { // also for localhost and for the hosts in NO_PROXY
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

// secure checks that an address uses https. It also allows http if the server is on this computer
// and the address is within its reach.
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
