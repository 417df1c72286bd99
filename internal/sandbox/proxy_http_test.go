//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// announcedClient returns an HTTP client whose connections to the proxy are announced.
func announcedClient(t *testing.T, p *proxy) *http.Client {
	t.Helper()
	to := &url.URL{Scheme: "http", Host: p.addr.String()}
	transport := &http.Transport{Proxy: http.ProxyURL(to), DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		l, err := net.Listen("tcp4", "127.0.0.1:0") // reserves a port
		if err != nil {
			return nil, err
		}
		from := l.Addr().(*net.TCPAddr)
		_ = l.Close()
		p.expect(from.AddrPort(), "")
		return (&net.Dialer{LocalAddr: from}).DialContext(ctx, network, addr)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// Plain HTTP passes through the proxy: bodies of any length, chunked and after 100 Continue, and
// several requests from one client. The Host field is that of the target.
func TestPlainRequestsPassTheProxy(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %d %q", r.Method, r.Host, r.RequestURI, len(body), r.Header.Values("X-Mine"))
	}))
	t.Cleanup(site.Close)
	host := strings.TrimPrefix(site.URL, "http://")
	p, err := newProxy(reachable{hosts: parseHosts([]string{host})}, func(Host) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	c := announcedClient(t, p)
	ask := func(method, path string, body io.Reader, fields ...string) string {
		r, err := http.NewRequest(method, site.URL+path, body)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(fields); i += 2 {
			r.Header.Add(fields[i], fields[i+1])
		}
		answer, err := c.Do(r)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	large := bytes.Repeat([]byte("x"), 3<<20)
	for got, want := range map[string]string{
		ask("GET", "/a%2Fb?c=d", nil):                                                                "GET " + host + " /a%2Fb?c=d 0 []",
		ask("GET", "", nil, "Connection", "X-Mine", "X-Mine", "dropped"):                             "GET " + host + " / 0 []",
		ask("POST", "/large", bytes.NewReader(large)):                                                fmt.Sprintf("POST %s /large %d []", host, len(large)),
		ask("PUT", "/chunks", struct{ io.Reader }{bytes.NewReader(large)}, "X-Mine", "a"):            fmt.Sprintf("PUT %s /chunks %d [\"a\"]", host, len(large)),
		ask("POST", "/continue", strings.NewReader("wait"), "Expect", "100-continue", "X-Mine", "b"): "POST " + host + " /continue 4 [\"b\"]",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A client that sends a body gets the reason for a refusal. Clients that do not use a proxy get an
// explanation of what it is.
func TestTheProxySaysWhy(t *testing.T) {
	p, err := newProxy(reachable{}, func(Host) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	c := announcedClient(t, p)
	answer, err := c.Post("http://elsewhere.test/", "text/plain", bytes.NewReader(make([]byte, 100<<10)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "may not reach elsewhere.test; allow it") {
		t.Errorf("%s: %s", answer.Status, text)
	}
	c.Transport.(*http.Transport).Proxy = nil
	for path, want := range map[string]int{"/x": http.StatusBadRequest, "/" + strings.Repeat("x", 70<<10): http.StatusRequestHeaderFieldsTooLarge} {
		answer, err := c.Get("http://" + p.addr.String() + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%.5s: %s", path, answer.Status)
		}
	}
}
