// Package public reports whether an address belongs to the public Internet.
//
// It owns the list of the other networks. It must not know names, ports, or which addresses a
// process may reach.
package public

import (
	"net"
	"net/netip"
	"slices"
)

// specialPrefixes are reserved networks that netip does not recognize, and networks whose addresses
// embed IPv4 addresses.
var specialPrefixes = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("5f00::/16"),
}

var (
	internet = netip.MustParsePrefix("2000::/3")
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
)

// Is reports whether an address is a public Internet address. Others, such as this computer, its
// network or a cloud's metadata service, must be allowed by address.
func Is(a netip.Addr) bool {
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !internet.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(specialPrefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// IsOwn reports whether an address belongs to this computer, which may have public ones.
func IsOwn(a netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(all, func(own net.Addr) bool {
		n, ok := own.(*net.IPNet)
		return ok && n.IP.Equal(a.AsSlice())
	})
}
