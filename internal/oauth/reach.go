package oauth

import (
	"context"
	"net"
	"net/netip"

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
		needs := scope(ip)
		if needs == special {
			return public // a stranger can have such an address, so it gives no reach
		}
		widest = min(widest, needs)
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
