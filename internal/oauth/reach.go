package oauth

import (
	"context"
	"net"
	"net/netip"
	"strings"

	internet "goated/internal/sandbox/public"
)

// A reach is the range of addresses to which a server may make goated connect. A server's
// description of its authorization server must not lead goated into the user's network (server-side
// request forgery).
type reach int

const (
	public  reach = iota // only public addresses
	private              // also private networks, for a server in one
	local                // also this computer, for a server on it
	special              // an address that no server may give
)

// A peer is the host of a server with the addresses of a single lookup. A second lookup could
// return other addresses, but the reach belongs to the addresses to which goated connects.
type peer struct {
	host  string
	addrs []netip.Addr // the result of the lookup; empty: the host is not a name, or has no addresses
	reach reach
}

// find returns the peer at a host. It looks up a name with lookup, which works like
// [net.Resolver.LookupNetIP].
func find(ctx context.Context, host string, lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)) peer {
	p := peer{host: host, reach: local}
	if host == "localhost" {
		return p
	}
	needed := []netip.Addr{}
	if ip, err := netip.ParseAddr(host); err == nil {
		needed = append(needed, ip)
	} else if found, err := lookup(ctx, "ip", host); err == nil {
		p.addrs, needed = found, found
	}
	if len(needed) == 0 {
		p.reach = public
	}
	for _, ip := range needed {
		needs := scope(ip)
		if needs == special {
			needs = public // a stranger can have such an address, so it permits no more
		}
		p.reach = min(p.reach, needs)
	}
	return p
}

// dial connects to the peer without another lookup. It connects to other hosts with by.
func (p peer) dial(ctx context.Context, by *net.Dialer, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !strings.EqualFold(host, p.host) || len(p.addrs) == 0 {
		return by.DialContext(ctx, network, address)
	}
	return race(ctx, by.Timeout, p.addrs, func(ctx context.Context, ip netip.Addr) (net.Conn, error) {
		return by.DialContext(ctx, network, net.JoinHostPort(ip.String(), port))
	})
}

var (
	carrier   = netip.MustParsePrefix("100.64.0.0/10")
	benchmark = netip.MustParsePrefix("198.18.0.0/15")
	zero      = netip.MustParsePrefix("0.0.0.0/8")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
)

// scope returns the reach that an address needs. A link-local address, such as that of a cloud
// metadata service, needs the reach of this computer. Reserved networks are special, and so are
// networks whose addresses embed other addresses, because these may lead anywhere.
func scope(ip netip.Addr) reach {
	ip = ip.Unmap()
	if nat64.Contains(ip) {
		all := ip.As16()
		ip = netip.AddrFrom4([4]byte(all[12:])) // the network's gateway connects to this address
	}
	switch {
	case !ip.IsValid(), ip.IsLoopback(), ip.IsUnspecified(), ip.IsLinkLocalUnicast(), ip.IsMulticast(), zero.Contains(ip), internet.IsMetadata(ip.String()):
		return local
	case ip.IsPrivate(), carrier.Contains(ip), benchmark.Contains(ip):
		return private
	case internet.Is(ip):
		return public
	}
	return special
}
