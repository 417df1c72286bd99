//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A proxy that the user set for a server stays, however it is written, because in a company it may
// be the only way to the Internet. Otherwise, all variables contain the sandbox's proxy.
func TestProxyOfTheUserStays(t *testing.T) {
	p := &proxy{addr: netip.MustParseAddrPort("127.0.0.1:9")}
	own := p.environment([]string{"HOME=/home/ann"}, false)
	for _, want := range []string{"HTTP_PROXY=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "ALL_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1:9"} {
		if !slices.Contains(own, want) {
			t.Errorf("%s is missing in %q", want, own)
		}
	}
	theirs := p.environment([]string{"https_proxy=http://proxy.example.org:3128", "NO_PROXY=.example.org"}, false)
	for _, name := range []string{"HTTPS_PROXY=", "https_proxy=", "NO_PROXY=", "no_proxy="} {
		if slices.ContainsFunc(theirs, func(kv string) bool { return len(kv) > len(name) && kv[:len(name)] == name }) {
			t.Errorf("%q replaces what the user set", theirs)
		}
	}
	if !slices.Contains(theirs, "HTTP_PROXY=http://127.0.0.1:9") {
		t.Errorf("plain HTTP has no proxy: %q", theirs)
	}
}

// In a private network, programs that use other protocols connect directly. Because of a proxy for
// all protocols, MongoDB's driver listened for a tunnel, and goated asked for the whole network.
func TestOtherProtocolsHaveNoProxyInAPrivateNetwork(t *testing.T) {
	p := &proxy{addr: netip.MustParseAddrPort("127.0.0.1:9")}
	for private, want := range map[bool]bool{true: false, false: true} {
		got := p.environment(nil, private)
		if slices.Contains(got, "ALL_PROXY=http://127.0.0.1:9") != want || slices.Contains(got, "all_proxy=http://127.0.0.1:9") != want || !slices.Contains(got, "HTTPS_PROXY=http://127.0.0.1:9") {
			t.Errorf("private %t: %q", private, got)
		}
	}
}

// Node 22 and newer send each request through the proxy in the environment, even the one that axios
// sends to that proxy. Such a request asked the proxy for the proxy, and after each restart goated
// asked the user for another port of this computer.
func TestAxiosOnNewNodeReachesHosts(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	node, err := filepath.Abs("../../.tools/node_modules/.bin/node")
	if err != nil {
		t.Fatal(err)
	}
	if node, err = exec.LookPath(node); err != nil {
		t.Fatalf("%v: run make tools", err)
	}
	if node, err = filepath.EvalSymlinks(node); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(node))
	plain, _ := newSite(t)
	address := fmt.Sprintf("127.0.0.1:%d", plain)
	got, refused := fetch(t, "axios", Grant{Hosts: []string{address}}, "http://"+address+"/x")
	if len(got) != 1 || got[0].Body != "hello from "+address+"/x" || len(refused) > 0 {
		t.Errorf("got %+v, refused %v", got, refused)
	}
}
