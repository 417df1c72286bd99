package sandbox

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"goated/internal/sandbox/public"
)

// A Host is a destination that a server may reach: a name, all names below a name, or an address.
// It has one port, or the web ports 443 and 80.
type Host struct {
	name  string     // canonical: lower case, ASCII, no dot at the end
	below bool       // the names below name, but not name itself
	addr  netip.Addr // used instead of a name; never an IPv4 address mapped to IPv6
	port  uint16     // 0: 443 and 80
}

// A HostError is the reason why a text is not a valid host.
type HostError string

func (e HostError) Error() string { return string(e) }

// The errors of ParseHost, as sentences for the user.
const (
	HostEmpty HostError = "enter a host, such as api.example.org"
	HostURL   HostError = "enter only the host, such as api.example.org, without https:// and without a path"
	HostPort  HostError = "a port must be a number from 1 to 65535"
	HostWide  HostError = "after *. enter at least two parts, as in *.example.org; to allow more, allow the whole network"
	HostName  HostError = "enter a valid host name or IP address"
)

// ParseHost parses a host as people write it: api.example.org, *.example.org, localhost:8080,
// 192.0.2.7, [2001:db8::7]:443.
func ParseHost(text string) (Host, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Host{}, HostEmpty
	case strings.ContainsAny(text, "/\\@?#"):
		return Host{}, HostURL
	}
	host, port, err := splitPort(text)
	if err != nil {
		return Host{}, err
	}
	h := Host{port: port}
	rest, below := strings.CutPrefix(host, "*.")
	if h.name, h.addr, err = canonical(rest); err != nil {
		if host == "*" || rest == "" {
			err = HostWide
		}
		return Host{}, err
	}
	if h.below = below; below {
		if h.addr.IsValid() {
			return Host{}, HostName
		}
		if !strings.Contains(h.name, ".") {
			return Host{}, HostWide
		}
	}
	return h, nil
}

// splitPort splits a host and its port, which is 0 if missing.
func splitPort(text string) (host string, port uint16, err error) {
	host = text
	tail := ""
	switch i := strings.LastIndexByte(text, ':'); {
	case strings.HasPrefix(text, "["):
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return "", 0, HostName
		}
		host, tail = text[1:end], text[end+1:]
		if a, err := netip.ParseAddr(host); err != nil || !a.Is6() {
			return "", 0, HostName
		}
	case strings.Count(text, ":") == 1:
		host, tail = text[:i], text[i:]
	}
	if tail == "" {
		return host, 0, nil
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(tail, ":"), 10, 16)
	if err != nil || n == 0 || tail[0] != ':' {
		return "", 0, HostPort
	}
	return host, uint16(n), nil
}

// canonical returns a name in canonical form, or the address in the text.
func canonical(host string) (string, netip.Addr, error) {
	none := netip.Addr{}
	for _, r := range host {
		if r >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(host)
			if err != nil {
				return "", none, HostName
			}
			host = ascii
			break
		}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return "", none, HostName
		}
		return "", addr.Unmap(), nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 {
		return "", none, HostName
	}
	last := ""
	for last = range strings.SplitSeq(host, ".") {
		if last == "" || len(last) > 63 || last[0] == '-' || last[len(last)-1] == '-' || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", none, HostName
		}
	}
	// Some resolvers treat names that end in a number as addresses: 127.1, 0x7f000001, 2130706433.
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return "", none, HostName
	}
	return host, none, nil
}

// String returns the host in canonical form, which ParseHost accepts.
func (h Host) String() string {
	name := h.name
	switch {
	case h.below:
		name = "*." + name
	case h.addr.Is6() && h.port != 0:
		name = "[" + h.addr.String() + "]"
	case h.addr.IsValid():
		name = h.addr.String()
	}
	if h.port != 0 {
		name += ":" + strconv.Itoa(int(h.port))
	}
	return name
}

// sameAs reports whether both are the same name or address with the same port. A host without a
// port has both 443 and 80.
func (h Host) sameAs(o Host) bool {
	port := func(n uint16) uint16 {
		if n == 443 || n == 80 {
			return 0
		}
		return n
	}
	return h.name == o.name && h.addr == o.addr && h.below == o.below && port(h.port) == port(o.port)
}

// reachable returns the hosts that p allows, including the registries that it installs from.
func (p Policy) reachable() reachable {
	out := reachable{hosts: parseHosts(p.Hosts), registries: parseHosts(p.Packages.Registries)}
	if p.Packages.Install {
		out.hosts = parseHosts(unionHosts(p.Hosts, p.Packages.Registries))
	}
	return out
}

// Local reports whether h is this computer or an address of a local network.
func (h Host) Local() bool {
	return h.name == "localhost" && !h.below || h.addr.IsValid() && !public.Is(h.addr)
}

// Ports lists the ports for the user.
func (h Host) Ports() string {
	if h.port == 0 {
		return "443, 80"
	}
	return strconv.Itoa(int(h.port))
}

func (h Host) admitsPort(port uint16) bool {
	return h.port == port || h.port == 0 && (port == 443 || port == 80)
}

// admitsName reports whether h includes a canonical name with a port.
func (h Host) admitsName(name string, port uint16) bool {
	switch {
	case name == "" || h.name == "" || !h.admitsPort(port):
		return false
	case h.below:
		return strings.HasSuffix(name, "."+h.name)
	}
	return name == h.name
}

// admitsAddr reports whether h includes an address with a port, without regard to names.
func (h Host) admitsAddr(addr netip.Addr, port uint16) bool {
	if h.name == "localhost" && !h.below && slices.Contains(loopback, addr) {
		return h.admitsPort(port)
	}
	return h.addr.IsValid() && h.addr == addr.Unmap() && h.admitsPort(port)
}

// loopback holds the addresses of localhost, whatever a resolver returns.
var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// parseHosts parses a list and skips invalid texts.
func parseHosts(list []string) []Host {
	var out []Host
	for _, text := range list {
		if h, err := ParseHost(text); err == nil {
			out = append(out, h)
		}
	}
	return out
}
