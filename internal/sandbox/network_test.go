//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"goated/internal/sandbox/public"
)

// newResolver returns a resolver with a name server that returns the addresses of a name in turn.
func newResolver(t *testing.T, names map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := make(map[string]int)
	answer := func(q dnsmessage.Question) (out []dnsmessage.Resource) {
		mu.Lock()
		defer mu.Unlock()
		name := strings.TrimSuffix(q.Name.String(), ".")
		all := names[name]
		if q.Type != dnsmessage.TypeA || len(all) == 0 {
			return nil
		}
		a := netip.MustParseAddr(all[min(asked[name], len(all)-1)])
		asked[name]++
		return []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0}, Body: &dnsmessage.AResource{A: a.As4()}}}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		b := make([]byte, 4096)
		for {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Additionals = true, nil
			m.Answers = answer(m.Questions[0])
			if out, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(out, from)
			}
		}
	})
	t.Cleanup(func() { _ = conn.Close(); wg.Wait() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

// newSite starts a web site on this computer, with and without TLS.
func newSite(t *testing.T) (plain, secret int) {
	t.Helper()
	port := func(s *httptest.Server) int {
		t.Cleanup(s.Close)
		return s.Listener.Addr().(*net.TCPAddr).Port
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello from "+r.Host+r.URL.Path) })
	return port(httptest.NewServer(h)), port(httptest.NewTLSServer(h))
}

// A fetched is the result of fetching a URL.
type fetched struct{ URL, Body, Why string }

// fetch runs a program that fetches URLs in a language, and returns the hosts that the sandbox
// refused.
func fetch(t *testing.T, lang string, g Grant, urls ...string) (got []fetched, refused []Permission) {
	t.Helper()
	program, script := "", ""
	switch lang {
	case "py":
		program, script = "python3", "testdata/reach/reach.py"
	case "js":
		program, script = "node", "testdata/reach/reach.js"
	case "axios":
		program, script = "node", "testdata/reach/axios.js"
	case "go":
		script = filepath.Join(t.TempDir(), "reach")
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", script, "./testdata/reach")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		program = script
	}
	program, err := exec.LookPath(program)
	if err != nil {
		t.Skip(err)
	}
	if script, err = filepath.Abs(script); err != nil {
		t.Fatal(err)
	}
	args := urls
	if lang != "go" {
		args = append([]string{script}, urls...)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Dir(script)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	var mu sync.Mutex
	s, err := Start(cmd, For(program, script, t.TempDir(), nil).With(g), func(p Permission) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(90*time.Second, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	watchdog.Stop()
	s.Close()
	if err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	for d := json.NewDecoder(&out); ; {
		var f fetched
		if err := d.Decode(&f); err != nil {
			if err != io.EOF {
				t.Fatal(err)
			}
			return got, refused
		}
		got = append(got, f)
	}
}

// In each language, the allowed hosts can be reached by TLS, by plain HTTP and directly, and no
// others. The sandbox reports the names of refused hosts.
func TestHostsAreReached(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	plain, secret := newSite(t)
	before := net.DefaultResolver
	net.DefaultResolver = newResolver(t, map[string][]string{"files.test": {"127.0.0.1"}, "bad.test": {"127.0.0.1"}, "meta.test": {"169.254.169.254"}})
	t.Cleanup(func() { net.DefaultResolver = before })
	g := Grant{Hosts: []string{
		fmt.Sprintf("files.test:%d", plain), fmt.Sprintf("*.more.test:%d", secret), fmt.Sprintf("files.test:%d", secret), fmt.Sprintf("meta.test:%d", plain),
		fmt.Sprintf("127.0.0.1:%d", plain), fmt.Sprintf("127.0.0.1:%d", secret),
	}}
	at := func(scheme, host string, port int) string { return fmt.Sprintf("%s://%s:%d/x", scheme, host, port) }
	for _, lang := range []string{"py", "js", "go"} {
		t.Run(lang, func(t *testing.T) {
			direct := fmt.Sprintf("direct://127.0.0.1:%d", plain)
			forbidden := fmt.Sprintf("direct://[::1]:%d", plain)
			got, refused := fetch(t, lang, g, at("http", "files.test", plain), at("https", "files.test", secret), direct,
				at("http", "bad.test", plain), at("https", "bad.test", secret), at("http", "meta.test", plain), forbidden)
			want := []struct{ body, why string }{
				{fmt.Sprintf("hello from files.test:%d/x", plain), ""}, {fmt.Sprintf("hello from files.test:%d/x", secret), ""}, {"hello from /direct", ""},
				{"", fmt.Sprintf("may not reach bad.test:%d; allow it", plain)}, {"", fmt.Sprintf("may not reach bad.test:%d; allow it", secret)},
				{"", "leads to 169.254.169.254"}, {"", "ermission denied|EACCES"},
			}
			if len(got) != len(want) {
				t.Fatalf("%+v", got)
			}
			for i, w := range want {
				if got[i].Why != "" {
					got[i].Body = "" // which repeats the reason
				}
				matches := false
				for why := range strings.SplitSeq(w.why, "|") {
					matches = matches || strings.Contains(got[i].Why, why)
				}
				if got[i].Body != w.body || !matches || w.why == "" && got[i].Why != "" {
					t.Errorf("%+v, want %+v", got[i], w)
				}
			}
			var names []string
			for _, p := range refused {
				names = append(names, string(p.Kind)+" "+p.Host)
			}
			if want := []string{fmt.Sprintf("host bad.test:%d", plain), fmt.Sprintf("host bad.test:%d", secret), fmt.Sprintf("host 169.254.169.254:%d", plain), fmt.Sprintf("host [::1]:%d", plain)}; !slices.Equal(names, want) {
				t.Errorf("refused %q, want %q", names, want)
			}
		})
	}
}

// The proxy resolves a name once per connection and connects to the address that it checked. A name
// can lead to this computer only if the policy allows the address.
func TestNamesThatResolveToLocalAddresses(t *testing.T) {
	plain, _ := newSite(t)
	var refused []Host
	open := func(list ...string) *proxy {
		p, err := newProxy(reachable{hosts: parseHosts(list)}, func(h Host) { refused = append(refused, h) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.close)
		p.resolver = newResolver(t, map[string][]string{"turn.test": {"127.0.0.1", "127.0.0.2"}, "far.test": {"169.254.169.254"}})
		return p
	}
	at := func(host string) string { return fmt.Sprintf("%s:%d", host, plain) }
	p := open(at("turn.test"), at("far.test"), at("127.0.0.1"))
	c, err := p.dial(t.Context(), at("turn.test"))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.RemoteAddr().String(); got != at("127.0.0.1") {
		t.Errorf("connected to %s", got)
	}
	_ = c.Close()
	for _, to := range []string{"turn.test", "far.test", "TURN.test."} { // the second address of the first name
		if c, err := p.dial(t.Context(), at(to)); err == nil || !strings.Contains(err.Error(), "leads to") {
			t.Errorf("%s: %v, %v", to, c, err)
		}
	}
	if len(refused) != 3 || refused[0].String() != at("127.0.0.2") {
		t.Errorf("refused %v", refused)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range own {
		if ip, _ := netip.AddrFromSlice(a.(*net.IPNet).IP); !public.IsOwn(ip.Unmap()) {
			t.Errorf("public.IsOwn(%s) = false", ip)
		}
	}
}

// The proxy serves only connections that the notifier announced. close ends open tunnels.
func TestProxyRefusesOtherPrograms(t *testing.T) {
	plain, _ := newSite(t)
	p, err := newProxy(reachable{hosts: parseHosts([]string{fmt.Sprintf("127.0.0.1:%d", plain)})}, func(Host) {})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(announced bool) string {
		l, err := net.Listen("tcp4", "127.0.0.1:0") // reserves a port
		if err != nil {
			t.Fatal(err)
		}
		from := l.Addr().(*net.TCPAddr)
		_ = l.Close()
		if announced {
			p.expect(from.AddrPort(), "")
		}
		c, err := (&net.Dialer{LocalAddr: from}).Dial("tcp4", p.addr.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET http://127.0.0.1:%d/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", plain)
		answer, _ := io.ReadAll(c) // empty after a reset
		return string(answer)
	}
	if answer := ask(false); answer != "" {
		t.Errorf("another program got %q", answer)
	}
	if answer := ask(true); !strings.Contains(answer, "hello from") {
		t.Errorf("the server got %q", answer)
	}
	// close ends an open tunnel.
	from := netip.AddrPortFrom(loopback[0], 0)
	l, err := net.Listen("tcp4", from.String())
	if err != nil {
		t.Fatal(err)
	}
	near := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	p.expect(near.AddrPort(), "")
	c, err := (&net.Dialer{LocalAddr: near}).Dial("tcp4", p.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n", plain)
	line := make([]byte, 12)
	if _, err := io.ReadFull(c, line); err != nil || string(line) != "HTTP/1.1 200" {
		t.Fatalf("%q, %v", line, err)
	}
	closed := make(chan struct{})
	go func() { p.close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(30 * time.Second):
		t.Fatal("close does not return")
	}
}

// A server that tries many hosts causes only a few reports.
func TestRefusalsAreBounded(t *testing.T) {
	n := 0
	s := newSandbox(Status{}, func(Permission) { n++ })
	for i := range 1000 {
		s.reportRefused(Host{name: fmt.Sprintf("a%d.test", i%500)})
	}
	s.Close()
	s.reportRefused(Host{name: "late.test"})
	if n != maxRefused {
		t.Errorf("%d reports", n)
	}
}

// Without a network a process has no sockets and no proxy.
func TestNoNetworkHasNoSocket(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(program, "-c", "import os, socket\nprint(os.environ.get('http_proxy'))\nsocket.socket()")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	p := For(program, program, t.TempDir(), nil)
	p.Network = NoNetwork
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err == nil || !strings.HasPrefix(output.String(), "None\n") || !strings.Contains(output.String(), "PermissionError") {
		t.Errorf("%v: %s", err, output.String())
	}
}

// Repeated connect calls on a socket announce one connection. The proxy once counted each call, and
// refused all connections after 4096.
func TestConnectingTwiceIsOneConnection(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(program, "-c", `
import os, socket
host, port = os.environ["http_proxy"].removeprefix("http://").split(":")
for i in range(5000):
    s = socket.create_connection((host, int(port)), timeout=10)
    try:
        s.connect((host, int(port)))
    except OSError:
        pass # already connected
    if i % 1000 == 0:
        s.sendall(b"GET http://elsewhere.test/ HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n")
        while s.recv(1 << 16):
            pass
    s.close()
print("all")`)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	s, err := Start(cmd, For(program, program, t.TempDir(), nil).With(Grant{Hosts: []string{"example.test"}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err != nil || output.String() != "all\n" {
		t.Errorf("%v: %s", err, output.String())
	}
}
