package oauth

import (
	"context"
	"net"
	"net/netip"
	"strings"

	internet "goated/internal/sandbox/public"
)

// A reach says which addresses a server may make goated connect to: what it says of its
// authorization server must not lead into the user's network (server-side request
// forgery).
type reach int

const (
	public  reach = iota // public addresses only
	private              // and private networks, for a server in one
	local                // and this computer, for a server on it
	special              // an address that no server may name
)

// A peer is the host of a server, which is looked up once: another lookup may have another answer,
// and the reach is that of the addresses to which goated connects.
type peer struct {
	host  string
	addrs []netip.Addr // that a lookup found; empty: the host is no name that has addresses
	reach reach
}

// find returns the peer at a host. It asks lookup, as [net.Resolver.LookupNetIP], for a name.
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
			needs = public // a stranger can have such an address, so it gives no reach
		}
		p.reach = min(p.reach, needs)
	}
	return p
}

// dial connects to an address of the peer without another lookup, and to other hosts as by does.
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

// scope returns the reach that an address needs. Link-local addresses, such as those of cloud
// metadata services, need the one of this computer. No reach has reserved networks and those
// whose addresses embed others: such an address may lead anywhere.
func scope(ip netip.Addr) reach {
	ip = ip.Unmap()
	if nat64.Contains(ip) {
		all := ip.As16()
		ip = netip.AddrFrom4([4]byte(all[12:])) // the gateway of the network connects to this one
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
