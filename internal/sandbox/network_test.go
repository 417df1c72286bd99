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
)

// newResolver has this process ask a name server of the test's own, which answers
// with each address of a name in turn.
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

// newSite is a web site of this computer, plain and by TLS.
func newSite(t *testing.T) (plain, secret int) {
	t.Helper()
	port := func(s *httptest.Server) int {
		t.Cleanup(s.Close)
		return s.Listener.Addr().(*net.TCPAddr).Port
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello from "+r.Host+r.URL.Path) })
	return port(httptest.NewServer(h)), port(httptest.NewTLSServer(h))
}

// A fetched is what became of an address.
type fetched struct{ URL, Body, Why string }

// fetch has a program of each language fetch addresses under p, and yields what
// the sandbox refused.
func fetch(t *testing.T, lang string, g Grant, urls ...string) (got []fetched, refused []Permission) {
	t.Helper()
	program, script := "", ""
	switch lang {
	case "py":
		program, script = "python3", "testdata/reach/reach.py"
	case "js":
		program, script = "node", "testdata/reach/reach.js"
	case "go":
		script = filepath.Join(t.TempDir(), "reach")
		build := exec.Command("go", "build", "-o", script, "./testdata/reach")
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
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
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
		t.Fatalf("%v\n%s", err, said.String())
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

// Each language reaches the hosts that were allowed, by TLS, by plain HTTP and
// itself, and nothing else; what was refused is known by its name.
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
					got[i].Body = "" // which is the same
				}
				said := false
				for why := range strings.SplitSeq(w.why, "|") {
					said = said || strings.Contains(got[i].Why, why)
				}
				if got[i].Body != w.body || !said || w.why == "" && got[i].Why != "" {
					t.Errorf("%+v, not %+v", got[i], w)
				}
			}
			var names []string
			for _, p := range refused {
				names = append(names, string(p.Kind)+" "+p.Host)
			}
			if want := []string{fmt.Sprintf("host bad.test:%d", plain), fmt.Sprintf("host bad.test:%d", secret), fmt.Sprintf("host 169.254.169.254:%d", plain), fmt.Sprintf("host [::1]:%d", plain)}; !slices.Equal(names, want) {
				t.Errorf("refused were %q, not %q", names, want)
			}
		})
	}
}

// A name is looked up once for a connection, and what it led to is what is
// connected: it leads into this computer only where that was allowed itself.
func TestNamesThatLeadElsewhere(t *testing.T) {
	plain, _ := newSite(t)
	var refused []Host
	open := func(list ...string) *proxy {
		p, err := newProxy(parseHosts(list), func(h Host) { refused = append(refused, h) })
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
		t.Errorf("it was connected to %s", got)
	}
	_ = c.Close()
	for _, to := range []string{"turn.test", "far.test", "TURN.test."} { // the second address of the first
		if c, err := p.dial(t.Context(), at(to)); err == nil || !strings.Contains(err.Error(), "leads to") {
			t.Errorf("%s: %v, %v", to, c, err)
		}
	}
	if len(refused) != 3 || refused[0].String() != at("127.0.0.2") {
		t.Errorf("refused were %v", refused)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range own {
		if ip, _ := netip.AddrFromSlice(a.(*net.IPNet).IP); !isOwnAddr(ip.Unmap()) {
			t.Errorf("%s is not this computer's", ip)
		}
	}
}

// The proxy serves the server alone: whom the deputy did not announce gets
// nothing. And it leaves nothing behind.
func TestProxyTakesNoStrangers(t *testing.T) {
	plain, _ := newSite(t)
	p, err := newProxy(parseHosts([]string{fmt.Sprintf("127.0.0.1:%d", plain)}), func(Host) {})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(announced bool) string {
		l, err := net.Listen("tcp4", "127.0.0.1:0") // a port of its own
		if err != nil {
			t.Fatal(err)
		}
		from := l.Addr().(*net.TCPAddr)
		_ = l.Close()
		if announced {
			p.expect(from.AddrPort())
		}
		c, err := (&net.Dialer{LocalAddr: from}).Dial("tcp4", p.addr.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET http://127.0.0.1:%d/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", plain)
		said, _ := io.ReadAll(c) // a reset is an answer, too
		return string(said)
	}
	if said := ask(false); said != "" {
		t.Errorf("a stranger got %q", said)
	}
	if said := ask(true); !strings.Contains(said, "hello from") {
		t.Errorf("the server got %q", said)
	}
	// A tunnel that stands is no reason to stay.
	from := netip.AddrPortFrom(loopback[0], 0)
	l, err := net.Listen("tcp4", from.String())
	if err != nil {
		t.Fatal(err)
	}
	near := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	p.expect(near.AddrPort())
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
		t.Fatal("it does not end")
	}
}

// A server that tries a million hosts is told of with a few.
func TestRefusalsAreBounded(t *testing.T) {
	n := 0
	s := newSandbox(Status{}, func(Permission) { n++ })
	for i := range 1000 {
		s.reportRefused(Host{name: fmt.Sprintf("a%d.test", i%500)})
	}
	s.Close()
	s.reportRefused(Host{name: "late.test"})
	if n != maxRefused {
		t.Errorf("%d were told", n)
	}
}

// Without a network there is no socket, and no proxy.
func TestNoNetworkHasNoSocket(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(program, "-c", "import os, socket\nprint(os.environ.get('http_proxy'))\nsocket.socket()")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	p := For(program, program, t.TempDir(), nil)
	p.Network = NoNetwork
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err == nil || !strings.HasPrefix(said.String(), "None\n") || !strings.Contains(said.String(), "PermissionError") {
		t.Errorf("%v: %s", err, said.String())
	}
}

// Whoever tells a socket to connect again, to learn how far it is, has one
// connection: the proxy was once told of each, and let in nobody after 4096.
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
        pass # it is connected
    if i % 1000 == 0:
        s.sendall(b"GET http://elsewhere.test/ HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n")
        while s.recv(1 << 16):
            pass
    s.close()
print("all")`)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	s, err := Start(cmd, For(program, program, t.TempDir(), nil).With(Grant{Hosts: []string{"example.test"}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err != nil || said.String() != "all\n" {
		t.Errorf("%v: %s", err, said.String())
	}
}
