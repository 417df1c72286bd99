//go:build linux

package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// The sandbox refuses a server access to a host, and goated knows exactly which host. After the
// user allows the host, the server reaches it, both with and without a keeper.
func TestHostIsNeededAndAllowed(t *testing.T) {
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "sunny") }))
	defer site.Close()
	script := filepath.Join(t.TempDir(), "weather.py")
	source := servertest.Small(t) + `
import urllib.request
server = MCPServer("weather")

@server.tool()
def fetch(url: str) -> str:
    try:
        return urllib.request.urlopen(url).read().decode()
    except OSError as e:
        raise ToolError(str(e))

server.run()
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	want := sandbox.Permission{Kind: sandbox.ToHost, Host: fmt.Sprintf("localhost:%d", site.Listener.Addr().(*net.TCPAddr).Port)}
	for name, k := range map[string][]string{"kept": nil, "alone": {}} { // nil selects the keeper of the tests
		h := host(t, client.Options{Data: t.TempDir(), Process: client.ProcessOptions{Keeper: k}})
		id := connect(t, h, client.Config{Path: script})
		call := func() (string, error) {
			r, err := h.Call(t.Context(), id+"__fetch", map[string]any{"url": "http://" + want.Host + "/"}, nil)
			return fmt.Sprintf("%+v", r), err
		}
		if _, err := call(); !errors.Is(err, client.ErrTool) {
			t.Fatalf("%s: the call ended with %v", name, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		told := false
		for s := range h.Watch(ctx) {
			if needs := s.Servers[0].Needs; len(needs) > 0 {
				if told = len(needs) == 1 && needs[0] == want; !told {
					t.Errorf("%s: it needs %+v", name, needs)
				}
				break
			}
		}
		cancel()
		if !told {
			t.Fatalf("%s: it needs %+v", name, h.Snapshot().Servers[0])
		}
		if err := h.Allow(t.Context(), id, sandbox.Permissions{want}.Grant()); err != nil {
			t.Fatal(err)
		}
		if _, err := call(); err != nil || len(h.Snapshot().Servers[0].Needs) != 0 {
			t.Errorf("%s: allowed, the call ended with %v", name, err)
		}
		if p := h.Snapshot().Servers[0].Policy; p.Network != sandbox.NamedHosts || !slices.Equal(p.Hosts, []string{want.Host}) || p.Packages.Install {
			t.Errorf("%s: it may reach %q %q, %+v", name, p.Network, p.Hosts, p.Packages)
		}
	}
}
