//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// A refused package registry leads to one permission for all registries. With that permission, a
// registry may be in the user's network, but never on this computer.
func TestInstalling(t *testing.T) {
	plain, _ := newSite(t)
	own := ownAddress(t)
	registries := []string{fmt.Sprintf("registry.test:%d", plain), fmt.Sprintf("second.test:%d", plain)}
	policy := Policy{Network: NamedHosts, Packages: Packages{Registries: registries}}
	open := func(p Policy) (*proxy, *Permissions) {
		var lacks Permissions
		s := newSandbox(Status{}, func(p Permission) { lacks = append(lacks, p) })
		s.registries = parseHosts(p.Packages.Registries)
		proxy, err := newProxy(p.reachable(), s.reportRefused)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.close)
		proxy.resolver = newResolver(t, map[string][]string{"registry.test": {"10.99.99.99"}, "second.test": {"127.0.0.1"}, "third.test": {own}})
		return proxy, &lacks
	}
	p, lacks := open(policy)
	for _, to := range registries {
		if _, err := p.dial(t.Context(), to); err == nil || !strings.Contains(err.Error(), "--allow-install") {
			t.Errorf("%s without the permission: %v", to, err)
		}
	}
	if want := (Permissions{{Kind: ToInstall}}); !slices.Equal(*lacks, want) {
		t.Errorf("it lacks %v, want %v", *lacks, want)
	}

	granted := policy.With(lacks.Grant())
	if granted.Offline() || granted.Network != NamedHosts || !granted.Packages.Install || !slices.Equal(granted.Packages.Registries, registries) {
		t.Errorf("with the permission: %q, %+v", granted.Network, granted.Packages)
	}
	p, _ = open(granted)
	if want := parseHosts([]string{registries[0]})[0]; !p.installsFrom(want, netip.MustParseAddr("10.99.99.99")) {
		t.Error("a registry in the user's network is refused")
	}
	for _, addr := range []string{"127.0.0.1", "::1", "169.254.169.254", own} {
		if want := parseHosts([]string{registries[1]})[0]; p.installsFrom(want, netip.MustParseAddr(addr)) {
			t.Errorf("a registry leads to %s", addr)
		}
	}
	if other := parseHosts([]string{fmt.Sprintf("third.test:%d", plain)})[0]; p.installsFrom(other, netip.MustParseAddr("10.99.99.99")) {
		t.Error("any host is a registry")
	}
	if _, err := p.dial(t.Context(), registries[1]); err == nil || !strings.Contains(err.Error(), "leads to") {
		t.Errorf("a registry on this computer: %v", err)
	}
}

// ownAddress returns an address of this computer outside the loopback, or the loopback address if
// there is none.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}
