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

// A denial is the error for a host that a server may not reach.
type denial struct {
	host     Host
	name     string // the name that resolved to the host; empty if the server used the address
	registry bool   // the host is a package registry
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

// errorResponse returns the HTTP status for an error, and the reason for the client.
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

// wanted parses a host with a port. If the server may not reach it, wanted reports that and returns
// an error. asks asks the user about another host.
func (p *proxy) wanted(to string, asks func(host string) bool) (want Host, port uint16, err error) {
	host, port, err := splitPort(to)
	if err == nil {
		want.name, want.addr, err = canonical(host)
	}
	switch {
	case err != nil:
		return want, port, err
	case port == 0:
		return want, port, HostPort
	case port != 443 && port != 80:
		want.port = port
	}
	registry := slices.ContainsFunc(p.registries, want.sameAs)
	if !slices.ContainsFunc(p.allowed(), func(h Host) bool { return h.admitsName(want.name, port) || h.admitsAddr(want.addr, port) }) && (registry || !asks(want.String())) {
		return want, port, p.refuse(denial{host: want, registry: registry})
	}
	return want, port, nil
}

// check returns an error, and reports it, if a connection to a host with a port would be refused
// immediately.
func (p *proxy) check(to string) error {
	_, _, err := p.wanted(to, p.questions.Holds)
	return err
}

// allowed returns the hosts that the server may currently reach.
func (p *proxy) allowed() []Host {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hosts
}

// allow adds a host that the server may reach.
func (p *proxy) allow(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts = slices.Concat(p.hosts, parseHosts([]string{host}))
}

// dial connects to a host with a port, if the server may reach it. It reports a host that does not
// respond. It waits while goated asks the user.
func (p *proxy) dial(ctx context.Context, to string) (net.Conn, error) {
	want, port, err := p.wanted(to, p.questions.Pass)
	if err != nil {
		return nil, err
	}
	c, err := p.connect(ctx, want, port)
	if errors.As(err, new(denial)) || err == nil || ctx.Err() != nil || p.unanswered == nil {
		return c, err
	}
	p.unanswered(want)
	return c, err
}

// connect connects to a host that the server may reach.
func (p *proxy) connect(ctx context.Context, want Host, port uint16) (_ net.Conn, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	found := []netip.Addr{want.addr}
	switch {
	case want.name == "localhost":
		found = loopback
	case want.name != "":
		if found, err = p.resolve(ctx, want.name); err != nil {
			return nil, err
		}
	}
	var last error
	for _, a := range found {
		if a = a.Unmap(); !p.mayLeadTo(a, port) && !p.installsFrom(want, a) {
			if last == nil {
				last = denial{host: Host{addr: a, port: want.port}, name: want.name}
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

// installsFrom reports whether name belongs to a package registry and the address does not belong
// to this computer. A registry may be in the user's local network.
func (p *proxy) installsFrom(name Host, a netip.Addr) bool {
	return slices.ContainsFunc(p.registries, name.sameAs) && !a.IsLoopback() && !a.IsUnspecified() && !a.IsLinkLocalUnicast() && !public.IsOwn(a)
}

// mayLeadTo reports whether a name may resolve to an address.
func (p *proxy) mayLeadTo(a netip.Addr, port uint16) bool {
	return public.Is(a) && !public.IsOwn(a) || p.admits(a, port)
}

// admits reports whether the policy allows the address itself.
func (p *proxy) admits(a netip.Addr, port uint16) bool {
	return slices.ContainsFunc(p.allowed(), func(h Host) bool { return h.admitsAddr(a, port) })
}
