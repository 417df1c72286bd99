// Package weborigin compares the origins of URLs (RFC 6454), and recognizes hosts that are this
// computer. It knows the default ports: a URL with the default port of its scheme, for example
// https://host:443, has the same origin as one without a port. It must not know what an origin
// allows.
package weborigin

import (
	"net/netip"
	"net/url"
	"strings"
)

// Of returns the origin of a URL as text: its scheme and host in lower case, and its port unless
// that is the default port.
func Of(u *url.URL) string { return strings.ToLower(u.Scheme) + "://" + Host(u) }

// Same reports whether two URLs have the same origin.
func Same(a, b *url.URL) bool { return Of(a) == Of(b) }

// Upgraded reports whether to is from with https in place of http, both at their default ports.
func Upgraded(from, to *url.URL) bool {
	return strings.EqualFold(from.Scheme, "http") && strings.EqualFold(to.Scheme, "https") && strings.EqualFold(from.Hostname(), to.Hostname()) && standard(from) && standard(to)
}

// Host returns the host of a URL in lower case, with its port unless that is the default port.
func Host(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if standard(u) {
		return strings.TrimSuffix(host, ":"+u.Port())
	}
	return host
}

// IsLoopback reports whether host, without a port, refers to this computer: localhost or a loopback
// address.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// standard reports whether a URL has the default port of its scheme.
func standard(u *url.URL) bool {
	switch u.Port() {
	case "":
		return true
	case "80":
		return strings.EqualFold(u.Scheme, "http")
	case "443":
		return strings.EqualFold(u.Scheme, "https")
	}
	return false
}
