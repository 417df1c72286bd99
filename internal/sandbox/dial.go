package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"goated/internal/sandbox/public"
)

// A denial says that a server may not reach a host.
type denial struct {
	host     Host
	name     string // that resolved to the host; empty if the server used the address
	registry bool   // it is a package registry
}

func (r denial) Error() string {
	if r.registry {
		return fmt.Sprintf("goated: this server may not install packages from %s; allow it on the server's page under Permissions, or with --allow-install.", r.host)
	}
	if r.name != "" {
		return fmt.Sprintf("goated: %s leads to %s, which is this computer or its network. Allow that address on the server's page under Permissions, or with --allow-host %s.", r.name, r.host, r.host)
	}
	return fmt.Sprintf("goated: this server may not reach %s; allow it on the server's page under Permissions, or with --allow-host %s.", r.host, r.host)
}

// errorResponse returns the status of HTTP for an error, and the reason for the client.
func errorResponse(err error) (status, why string) {
	var no denial
	var bad HostError
	switch {
	case errors.As(err, &no):
		return forbidden, no.Error()
	case errors.As(err, &bad):
		return badRequest, "goated: " + bad.Error() + "."
	}
	return badGateway, "goated: the host did not answer: " + err.Error()
}

// check returns an error, and reports it, if the server may not reach a host with a port.
func (p *proxy) check(to string) error {
	host, port, err := splitPort(to)
	if err != nil {
		return err
	}
	name, addr, err := canonical(host)
	if err != nil {
		return err
	}
	want := Host{name: name, addr: addr, port: port}
	if port == 443 || port == 80 {
		want.port = 0
	}
	if !slices.ContainsFunc(p.hosts, func(h Host) bool { return h.admitsName(name, port) || h.admitsAddr(addr, port) }) {
		return p.refuse(denial{host: want, registry: slices.ContainsFunc(p.registries, want.sameAs)})
	}
	return nil
}

// dial connects to a host with a port, if the server may reach it.
func (p *proxy) dial(ctx context.Context, to string) (net.Conn, error) {
	host, port, err := splitPort(to)
	if err != nil {
		return nil, err
	}
	name, addr, err := canonical(host)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		return nil, HostPort
	}
	want := Host{name: name, addr: addr, port: port}
	if port == 443 || port == 80 {
		want.port = 0
	}
	if !slices.ContainsFunc(p.hosts, func(h Host) bool { return h.admitsName(name, port) || h.admitsAddr(addr, port) }) {
		return nil, p.refuse(denial{host: want, registry: slices.ContainsFunc(p.registries, want.sameAs)})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	found := []netip.Addr{addr}
	switch {
	case name == "localhost":
		found = loopback
	case name != "":
		if found, err = p.resolve(ctx, name); err != nil {
			return nil, err
		}
	}
	var last error
	for _, a := range found {
		if a = a.Unmap(); !p.mayLeadTo(a, port) && !p.installsFrom(want, a) {
			if last == nil {
				last = denial{host: Host{addr: a, port: want.port}, name: name}
			}
			continue
		}
		d := net.Dialer{Timeout: dialLimit}
		c, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, port).String())
		if err == nil {
			return c, nil
		}
		last = err
	}
	if no, ok := last.(denial); ok {
		return nil, p.refuse(no)
	}
	return nil, last
}

func (p *proxy) refuse(r denial) error {
	p.refused(r.host)
	return r
}

func (p *proxy) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, resolverLimit)
	defer cancel()
	r := p.resolver
	if r == nil {
		r = net.DefaultResolver
	}
	found, err := r.LookupNetIP(ctx, "ip", name)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s has no address", name)
	}
	return found, err
}

// installsFrom reports whether a name is that of a package registry, which may be in
// the user's own network, and an address is not one of this computer.
func (p *proxy) installsFrom(name Host, a netip.Addr) bool {
	return slices.ContainsFunc(p.registries, name.sameAs) && !a.IsLoopback() && !a.IsUnspecified() && !a.IsLinkLocalUnicast() && !isOwnAddr(a)
}

// mayLeadTo reports whether a name may resolve to an address.
func (p *proxy) mayLeadTo(a netip.Addr, port uint16) bool {
	return public.Is(a) && !isOwnAddr(a) || p.admits(a, port)
}

// admits reports whether the policy allows the address itself.
func (p *proxy) admits(a netip.Addr, port uint16) bool {
	return slices.ContainsFunc(p.hosts, func(h Host) bool { return h.admitsAddr(a, port) })
}

// isOwnAddr reports whether an address belongs to this computer, which may have public ones.
func isOwnAddr(a netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(all, func(own net.Addr) bool {
		n, ok := own.(*net.IPNet)
		return ok && n.IP.Equal(a.AsSlice())
	})
}
