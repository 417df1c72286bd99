package oauth

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// The reach that an address needs depends on its network.
func TestScope(t *testing.T) {
	for text, want := range map[string]reach{
		"8.8.8.8": public, "2001:4860:4860::8888": public, "64:ff9b::808:808": public,
		"10.1.2.3": private, "192.168.0.1": private, "100.64.0.1": private, "198.18.0.1": private, "fd00::1": private, "64:ff9b::a01:203": private,
		"127.0.0.1": local, "::1": local, "0.0.0.0": local, "::": local, "169.254.169.254": local, "fe80::1": local, "224.0.0.1": local, "::ffff:127.0.0.1": local,
		"192.0.0.192": local, "100.100.100.200": local, "fd00:ec2::254": local, "64:ff9b::7f00:1": local, "64:ff9b::a9fe:a9fe": local,
		"2002:7f00:1::": special, "::10.0.0.1": special, "64:ff9b:1::a00:1": special, "240.0.0.1": special, "fec0::1": special, "2001::1": special,
	} {
		if got := scope(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s needs %d, want %d", text, got, want)
		}
	}
}

// A server at a special address, which a stranger can have, only reaches public addresses.
func TestSpecialAddressesGiveNoReach(t *testing.T) {
	for host, want := range map[string]reach{"2002:808:808::1": public, "8.8.8.8": public, "10.1.2.3": private, "127.0.0.1": local, "localhost": local} {
		if got := find(t.Context(), host, net.DefaultResolver.LookupNetIP).reach; got != want {
			t.Errorf("%s reaches %d, want %d", host, got, want)
		}
	}
}

// If a proxy serves only some hosts, goated still checks addresses. A public server can neither
// name a private address that goated reaches directly, nor one behind the proxy.
func TestAddressesAreCheckedBesideAProxy(t *testing.T) {
	var visits, carried atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer inside.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { carried.Add(1) }))
	defer proxy.Close()
	a := New(Options{})
	a.proxy = func(r *http.Request) (*url.URL, error) {
		if r.URL.Hostname() == "localhost" { // as ProxyFromEnvironment does
			return nil, nil
		}
		return url.Parse(proxy.URL)
	}
	own := strings.Replace(inside.URL, "127.0.0.1", "localhost", 1)
	get := func(r reach, address string) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := a.httpClient(peer{reach: r}).Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	if err := get(public, own); !errors.Is(err, errPrivate) || visits.Load() > 0 {
		t.Errorf("%v after %d visits", err, visits.Load())
	}
	if err := get(public, "http://192.168.0.1/"); !errors.Is(err, errPrivate) || carried.Load() > 0 {
		t.Errorf("through the proxy: %v", err)
	}
	if err := get(public, "http://example.org/"); err != nil || carried.Load() != 1 {
		t.Errorf("the proxy carried %d requests: %v", carried.Load(), err)
	}
	if err := get(local, own); err != nil || visits.Load() != 1 {
		t.Errorf("a server on this computer: %v", err)
	}
}

// goated looks up a server's name only once. A second answer could lead a server with local reach
// to another address, or a public server into the user's network.
func TestThePeerIsLookedUpOnce(t *testing.T) {
	var visits, lookups atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer inside.Close()
	a := New(Options{})
	a.proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	a.peer = func(ctx context.Context, host string) peer {
		return find(ctx, host, func(context.Context, string, string) ([]netip.Addr, error) {
			lookups.Add(1)
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		})
	}
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	own := a.httpClient(a.peer(t.Context(), "tools.invalid")) // no lookup outside this test finds it
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://tools.invalid:"+port, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := own.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	if lookups.Load() != 1 || visits.Load() != 2 {
		t.Errorf("%d lookups and %d visits", lookups.Load(), visits.Load())
	}
}
