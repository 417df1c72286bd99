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
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// reaching is the source of a server whose tools fetch a page and count calls in their process.
const reaching = `
import os, socket, threading, urllib.error, urllib.request
server = MCPServer("weather")
calls = 0
last = ""

def page(url):
    global last
    try:
        return urllib.request.urlopen(url).read().decode()
    except urllib.error.HTTPError as e:
        last = e.read().decode()
        raise ToolError(last)

@server.tool()
def fetch(url: str) -> str:
    global calls
    calls += 1
    return f"{page(url)} {calls} {os.getpid()}"

@server.tool()
def many(url: str, n: int) -> str:
    got = []
    def one():
        try:
            got.append(urllib.request.urlopen(url).read().decode())
        except OSError as e:
            got.append(str(e))
    all = [threading.Thread(target=one) for _ in range(n)]
    for t in all:
        t.start()
    for t in all:
        t.join()
    return " ".join(sorted(set(got))) + f" {len(got)}"

@server.tool()
def direct(port: int) -> str:
    try:
        with socket.create_connection(("127.0.0.1", port)) as s:
            s.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return s.makefile().read().splitlines()[-1]
    except OSError as e:
        raise ToolError(str(e))

@server.tool()
def failed() -> str:
    return last

server.run()
`

// A reacher is a connected server with the source reaching, and the site that it reaches after
// the user allows it.
type reacher struct {
	*client.Host
	id    string
	want  sandbox.Permission
	port  int
	asked atomic.Int32
}

// url returns the URL of the site, as an argument.
func (r *reacher) url() map[string]any { return map[string]any{"url": "http://" + r.want.Host + "/"} }

func (r *reacher) call(ctx context.Context, t *testing.T, tool string, args map[string]any) (string, error) {
	result, err := r.Call(ctx, r.id+"__"+tool, args, nil)
	if err != nil {
		return "", err
	}
	return said(t, result), nil
}

// eachReacher runs a test with a keeper in bubblewrap, without bubblewrap, and without a
// keeper. It calls answer for each question about the host after it called held.
func eachReacher(t *testing.T, answer func(ctx context.Context, r *reacher) bool, o client.Options, do func(t *testing.T, r *reacher)) {
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "sunny") }))
	t.Cleanup(site.Close)
	port := site.Listener.Addr().(*net.TCPAddr).Port
	script := filepath.Join(t.TempDir(), "weather.py")
	if err := os.WriteFile(script, []byte(servertest.Small(t)+reaching), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]client.ProcessOptions{"bubble": {}, "kept": {NoBubble: true}, "alone": {Keeper: []string{}}} {
		t.Run(name, func(t *testing.T) {
			r := &reacher{want: sandbox.Permission{Kind: sandbox.ToHost, Host: fmt.Sprintf("localhost:%d", port)}, port: port}
			p.Permit = func(ctx context.Context, from client.Asker, need sandbox.Permission, held func()) bool {
				if from.ID != r.id || need.Kind != sandbox.ToHost || !strings.HasSuffix(need.Host, fmt.Sprintf(":%d", port)) {
					t.Errorf("%+v asks for %+v", from, need)
				}
				r.asked.Add(1)
				held()
				return answer(ctx, r)
			}
			o.Data, o.Process = t.TempDir(), p
			r.Host = host(t, o)
			r.id = connect(t, r.Host, client.Config{Path: script, Name: "weather"})
			do(t, r)
		})
	}
}

// A call waits while goated asks the user about a host, and continues in the same process after
// a yes. The permission stays.
func TestACallWaitsForAHost(t *testing.T) {
	allow := func(context.Context, *reacher) bool { return true }
	eachReacher(t, allow, client.Options{}, func(t *testing.T, r *reacher) {
		first, err := r.call(t.Context(), t, "fetch", r.url())
		if err != nil || !strings.HasPrefix(first, "sunny 1 ") {
			t.Fatalf("%q, %v", first, err)
		}
		second, err := r.call(t.Context(), t, "fetch", r.url())
		if want := strings.Replace(first, " 1 ", " 2 ", 1); err != nil || second != want {
			t.Errorf("%q, %v, want %q of the same process", second, err, want)
		}
		if n := r.asked.Load(); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
		s := r.Snapshot().Servers[0]
		if c, _ := r.Config(r.id); !slices.Equal(c.Grant.Hosts, []string{r.want.Host}) || len(s.Needs) > 0 || s.Policy.Network != sandbox.NamedHosts || !slices.Equal(s.Policy.Hosts, []string{r.want.Host}) {
			t.Errorf("%+v, %+v, %q %q", c.Grant, s.Needs, s.Policy.Network, s.Policy.Hosts)
		}
		if err := r.Restart(t.Context(), r.id); err != nil {
			t.Fatal(err)
		}
		if third, err := r.call(t.Context(), t, "fetch", r.url()); err != nil || !strings.HasPrefix(third, "sunny 1 ") || r.asked.Load() != 1 {
			t.Errorf("restarted: %q, %v", third, err)
		}
	})
}

// A program that ignores proxies waits too, if it has a separate network.
func TestADirectConnectionWaitsForAHost(t *testing.T) {
	allow := func(context.Context, *reacher) bool { return true }
	eachReacher(t, allow, client.Options{}, func(t *testing.T, r *reacher) {
		if !r.Snapshot().Servers[0].Sandbox.Net {
			t.Skip("the server has no network of its own")
		}
		if got, err := r.call(t.Context(), t, "direct", map[string]any{"port": r.port}); err != nil || got != "sunny" || r.asked.Load() != 1 {
			t.Errorf("%q, %v after %d questions", got, err, r.asked.Load())
		}
	})
}

// After "not now" the call fails as it would without a question, and the next call asks again.
func TestACallIsRefusedAHost(t *testing.T) {
	refuse := func(context.Context, *reacher) bool { return false }
	eachReacher(t, refuse, client.Options{}, func(t *testing.T, r *reacher) {
		for n := range int32(2) {
			if got, err := r.call(t.Context(), t, "fetch", r.url()); !errors.Is(err, client.ErrTool) || !strings.Contains(err.Error(), "this server may not reach "+r.want.Host) {
				t.Errorf("%q, %v", got, err)
			}
			if got := r.asked.Load(); got != n+1 {
				t.Errorf("it was asked %d times in %d calls", got, n+1)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for s := range r.Watch(ctx) {
			if slices.Equal(s.Servers[0].Needs, []sandbox.Permission{r.want}) {
				return
			}
		}
		t.Errorf("it needs %+v", r.Snapshot().Servers[0].Needs)
	})
}

// Cancelling a call ends the wait, and the server receives the refusal.
func TestACancelledCallWaitsForNoHost(t *testing.T) {
	held := make(chan struct{}, 1)
	wait := func(ctx context.Context, _ *reacher) bool {
		held <- struct{}{}
		<-ctx.Done()
		return false
	}
	eachReacher(t, wait, client.Options{}, func(t *testing.T, r *reacher) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-held
			cancel()
		}()
		if _, err := r.call(ctx, t, "fetch", r.url()); !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
		if got, err := r.call(t.Context(), t, "failed", nil); err != nil || !strings.Contains(got, "may not reach "+r.want.Host) { // the server handles one call at a time
			t.Errorf("%q, %v", got, err)
		}
	})
}

// The time limit of a call is paused while goated asks the user.
func TestAQuestionPausesTheLimitOfACall(t *testing.T) {
	const limit = 5 * time.Second
	slow := func(ctx context.Context, _ *reacher) bool {
		select {
		case <-time.After(limit + limit/2):
			return true
		case <-ctx.Done():
			return false
		}
	}
	eachReacher(t, slow, client.Options{Timeouts: client.Timeouts{Call: limit}}, func(t *testing.T, r *reacher) {
		t.Parallel()
		if got, err := r.call(t.Context(), t, "fetch", r.url()); err != nil || !strings.HasPrefix(got, "sunny ") {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// Many connections to a host lead to a single question.
func TestManyConnectionsAreOneQuestion(t *testing.T) {
	allow := func(context.Context, *reacher) bool { return true }
	eachReacher(t, allow, client.Options{}, func(t *testing.T, r *reacher) {
		args := r.url()
		args["n"] = 10
		if got, err := r.call(t.Context(), t, "many", args); err != nil || got != "sunny 10" || r.asked.Load() != 1 {
			t.Errorf("%q, %v after %d questions", got, err, r.asked.Load())
		}
	})
}

// Closing the host ends an open question and its connections.
func TestCloseEndsAWaitForAHost(t *testing.T) {
	held, ended := make(chan struct{}, 1), make(chan struct{}, 1)
	wait := func(ctx context.Context, _ *reacher) bool {
		held <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return false
	}
	eachReacher(t, wait, client.Options{}, func(t *testing.T, r *reacher) {
		called := make(chan error, 1)
		go func() {
			_, err := r.Call(context.Background(), r.id+"__fetch", r.url(), nil)
			called <- err
		}()
		waittest.Receive(t, "the call is held", held)
		r.Close()
		waittest.Receive(t, "the wait for the user ends", ended)
		if err := waittest.Receive(t, "the call ends", called); err == nil {
			t.Error("the call has a result")
		}
	})
}

// A server that connects to a host outside a call is refused immediately, and nobody is asked.
func TestAHostOutsideOfACallIsRefused(t *testing.T) {
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	script := filepath.Join(t.TempDir(), "telemetry.py")
	source := servertest.Small(t) + `
import urllib.request
try:
    urllib.request.urlopen("http://localhost:9/")
except OSError as e:
    said = str(e)
server = MCPServer("telemetry")

@server.tool()
def reason() -> str:
    return said

server.run()
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir(), Process: client.ProcessOptions{Permit: func(context.Context, client.Asker, sandbox.Permission, func()) bool {
		t.Error("it was asked")
		return true
	}}})
	id := connect(t, h, client.Config{Path: script})
	if r, err := h.Call(t.Context(), id+"__reason", nil, nil); err != nil || !strings.Contains(said(t, r), "Forbidden") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A Node server, which connects without blocking, waits as well.
func TestANodeServerWaitsForAHost(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "sunny") }))
	defer site.Close()
	script := filepath.Join(t.TempDir(), "weather.js")
	source := `
const fetched = url => new Promise(done => require('http').get(url, r => { let all = ''; r.on('data', d => all += d); r.on('end', () => done(all)) }).on('error', e => done(String(e))));
let rest = '';
process.stdin.on('data', async d => {
  const lines = (rest + d).split('\n'); rest = lines.pop();
  for (const line of lines) {
    const m = JSON.parse(line);
    if (m.id === undefined) continue;
    const reply = result => console.log(JSON.stringify({jsonrpc: '2.0', id: m.id, result}));
    if (m.method === 'initialize') reply({protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo: {name: 'weather', version: '1'}});
    else if (m.method === 'tools/list') reply({tools: [{name: 'fetch', inputSchema: {type: 'object'}}]});
    else if (m.method === 'tools/call') reply({content: [{type: 'text', text: await fetched(m.params.arguments.url)}]});
    else console.log(JSON.stringify({jsonrpc: '2.0', id: m.id, error: {code: -32601, message: 'no such method'}}));
  }
});
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	h := host(t, client.Options{Data: t.TempDir(), Process: client.ProcessOptions{Permit: func(_ context.Context, _ client.Asker, _ sandbox.Permission, held func()) bool {
		asked.Add(1)
		held()
		return true
	}}})
	id := connect(t, h, client.Config{Path: script})
	if !h.Snapshot().Servers[0].Sandbox.Net {
		t.Skip("the server has no network of its own")
	}
	r, err := h.Call(t.Context(), id+"__fetch", map[string]any{"url": site.URL}, nil)
	if err != nil || said(t, r) != "sunny" || asked.Load() != 1 {
		t.Errorf("%+v, %v after %d questions", r, err, asked.Load())
	}
}
