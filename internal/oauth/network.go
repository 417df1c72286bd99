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
)

// A reach says which addresses a server may make goated connect to: what it says of its
// authorization server must not lead into the user's network (server-side request
// forgery).
type reach int

const (
	public  reach = iota // public addresses only
	private              // and private networks, for a server in one
	local                // and this computer, for a server on it
)

// requestLimit bounds each request for metadata and tokens.
const requestLimit = 20 * time.Second

// errPrivate means that a public server named a private address.
var errPrivate = errors.New("it names an address inside your network, which a server on the internet must not")

// errRedirect means that a server redirects where the standards have no redirects.
var errRedirect = errors.New("it redirects to another address")

// reachOf returns the reach of the server at a host.
func reachOf(ctx context.Context, host string) reach {
	if host == "localhost" {
		return local
	}
	addrs := []netip.Addr{}
	if ip, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, ip)
	} else if found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host); err == nil {
		addrs = found
	}
	if len(addrs) == 0 {
		return public
	}
	widest := local
	for _, ip := range addrs {
		widest = min(widest, scope(ip.Unmap()))
	}
	return widest
}

var (
	carrier   = netip.MustParsePrefix("100.64.0.0/10")
	benchmark = netip.MustParsePrefix("198.18.0.0/15")
	zero      = netip.MustParsePrefix("0.0.0.0/8")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
)

// scope returns the reach that an address needs. Link-local addresses, such as those of cloud
// metadata services, need the one of this computer.
func scope(ip netip.Addr) reach {
	switch {
	case ip.IsLoopback(), ip.IsUnspecified(), ip.IsLinkLocalUnicast(), ip.IsMulticast(), zero.Contains(ip), !ip.IsValid():
		return local
	case ip.IsPrivate(), carrier.Contains(ip), benchmark.Contains(ip), nat64.Contains(ip):
		return private
	}
	return public
}

// httpClient returns a client that reaches no further than r, and follows no redirects.
// Addresses are checked when it connects, so that a name cannot change its address in
// between.
func (a *Authority) httpClient(r reach) *http.Client {
	c := &http.Client{
		Timeout:       requestLimit,
		Transport:     a.o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	if c.Transport != nil {
		return c
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if scope(at.Addr().Unmap()) > r {
			return errPrivate
		}
		return nil
	}}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext, t.MaxResponseHeaderBytes, t.DisableKeepAlives = dialer.DialContext, 1<<20, true
	t.Proxy = func(req *http.Request) (*url.URL, error) {
		via, err := http.ProxyFromEnvironment(req)
		if via != nil {
			if ip, bad := netip.ParseAddr(req.URL.Hostname()); bad == nil && scope(ip.Unmap()) > r {
				return nil, errPrivate
			}
		}
		return via, err
	}
	c.Transport = t
	if proxied() {
		t.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext // to the proxy, which may be local
	}
	return c
}

// proxied reports whether the environment names a proxy for https.
func proxied() bool {
	via, _ := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "https", Host: "example.org"}})
	return via != nil
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
	case u.Scheme == "http" && r == local && (u.Hostname() == "localhost" || isLoopback(u.Hostname())):
		return u, nil
	}
	return nil, fmt.Errorf("its %s does not use https", what)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
