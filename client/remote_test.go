//go:build unix

package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// served starts a program that serves HTTP, and returns the host that the program prints.
func served(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = env
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			for _, dir := range filepath.SplitList(path) {
				if _, err := os.Stat(filepath.Join(dir, args[0])); err == nil {
					cmd.Path, cmd.Err = filepath.Join(dir, args[0]), nil
					break
				}
			}
		}
	}
	out, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = w.Close()
	})
	found := make(chan string, 1)
	var lines []string
	go func() { // ends when the pipe closes
		s := bufio.NewScanner(out)
		for s.Scan() {
			if m := listening.FindStringSubmatch(s.Text()); m != nil {
				select {
				case found <- "127.0.0.1:" + m[1]:
				default:
				}
			}
			if len(lines) < 50 {
				lines = append(lines, s.Text())
			}
		}
		close(found)
	}()
	select {
	case host, ok := <-found:
		if !ok {
			t.Fatalf("%q ended:\n%s", args, strings.Join(lines, "\n"))
		}
		return host
	case <-time.After(60 * time.Second):
		t.Fatalf("%q does not listen", args)
	}
	return ""
}

// listening matches the line in which uvicorn and the reference server report their port.
var listening = regexp.MustCompile(`(?:running on http://127\.0\.0\.1:|(?:on|listening on) port )(\d+)`)

// freePort returns a port that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// silentPort returns a local port on which nothing answers until the test ends. The port
// belongs to a connection, so no other server can get it.
func silentPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_, port, _ := net.SplitHostPort(c.LocalAddr().String())
	return port
}

// goServer returns a server of the Go SDK with tools that exercise the protocol.
func goServer(t *testing.T) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	servertest.CloseSessions(t, s)
	s.AddResource(&mcp.Resource{Name: "size", URI: "note://size"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://size", Text: "3"}}}, nil
	})
	type sum struct {
		A float64 `json:"a"`
		B float64 `json:"b"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Add two numbers."}, func(_ context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(in.A + in.B)}}}, nil, nil
	})
	type count struct {
		To int `json:"to"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "count"}, func(ctx context.Context, req *mcp.CallToolRequest, in count) (*mcp.CallToolResult, any, error) {
		for i := range in.To {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: float64(in.To), Message: fmt.Sprint("step ", i+1)})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "counted"}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "grow"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		mcp.AddTool(s, &mcp.Tool{Name: "grown"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
		return &mcp.CallToolResult{}, nil, nil
	})
	return s
}

// Servers of the three official SDKs work by URL, in both versions of the protocol and over the
// oldest transport. A call is answered, its progress arrives before the answer, and cancelling it
// cancels it on the server.
func TestURLReachesServersOfEachSDK(t *testing.T) {
	t.Parallel()
	py, pyV1 := servertest.Environ(t), servertest.EnvironV1(t)
	ts := func(t *testing.T, how string) string {
		return "http://" + served(t, append(py[:len(py):len(py)], "PORT="+freePort(t)), "node", servertest.Everything(), how)
	}
	golang := func(o *mcp.StreamableHTTPOptions) func(t *testing.T) string {
		return func(t *testing.T) string {
			s := goServer(t)
			server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
			t.Cleanup(server.Close)
			return server.URL
		}
	}
	python := func(env []string, flags ...string) func(t *testing.T) string {
		return func(t *testing.T) string {
			return "http://" + served(t, env, append([]string{"python3", servertest.Script("web.py")}, flags...)...)
		}
	}
	for _, tt := range []struct {
		name  string
		start func(t *testing.T) string
		paths []string
		add   string
		count string // empty: no tool reports progress
		slow  string // empty: no tool says that it is cancelled
	}{
		{"Go with sessions", golang(nil), []string{""}, "add", "count", ""},
		{"Go without sessions", golang(&mcp.StreamableHTTPOptions{Stateless: true}), []string{""}, "add", "count", ""},
		{"Go answering in JSON", golang(&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}), []string{""}, "add", "", ""},
		{"TypeScript", func(t *testing.T) string { return ts(t, "streamableHttp") }, []string{"/mcp"}, "get-sum", "", ""},
		{"Python", python(py), []string{"/mcp", "/mcp/", "/sse"}, "add", "count", "slow"},
		{"Python 1", python(pyV1), []string{"/mcp", "/sse"}, "add", "count", "slow"},
		{"all: TypeScript SSE", func(t *testing.T) string { return ts(t, "sse") }, []string{"/sse"}, "get-sum", "", ""},
		{"all: Python without sessions", python(py, "stateless", "json"), []string{"/mcp"}, "add", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasPrefix(tt.name, "all: ") && os.Getenv("GOATED_SERVERS") == "" {
				t.Skip("GOATED_SERVERS=1 starts all servers; each takes seconds")
			}
			t.Parallel()
			address := tt.start(t) // ends after the hosts
			for _, path := range tt.paths {
				t.Run(path, func(t *testing.T) {
					h := host(t, client.Options{})
					id := connect(t, h, client.Config{URL: address + path, Name: "web"})
					r, err := h.Call(t.Context(), id+"__"+tt.add, map[string]any{"a": 2, "b": 3}, nil)
					if err != nil || len(r.Content) == 0 || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "5") {
						t.Fatalf("the sum is %v, %v", r, err)
					}
					var last float64
					if tt.count != "" {
						if _, err := h.Call(t.Context(), id+"__"+tt.count, map[string]any{"to": 20}, func(p *mcp.ProgressNotificationParams) { last = p.Progress }); err != nil || last != 20 {
							t.Errorf("counted up to %v, %v", last, err)
						}
					}
					if tt.slow != "" {
						cancelled(t, h, id+"__"+tt.slow)
					}
				})
			}
		})
	}
}

// cancelled checks that a cancelled call of the tool slow is cancelled on the server.
func cancelled(t *testing.T, h *client.Host, slow string) {
	t.Helper()
	mark := filepath.Join(t.TempDir(), "cancelled")
	there := func(path string) func() bool { return func() bool { _, err := os.Stat(path); return err == nil } }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := h.Call(ctx, slow, map[string]any{"seconds": 60, "mark": mark}, nil)
		ended <- err
	}()
	waittest.Until(t, "the tool runs", there(mark+".running"))
	cancel()
	if err := waittest.Receive(t, "the cancelled call ends", ended); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	waittest.Until(t, "it is cancelled", there(mark))
}

// The diagnosis of a server that cannot be reached, or does not speak MCP, follows from what
// goated observed.
func TestURLDiagnoses(t *testing.T) {
	t.Parallel()
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>My shop</title>")
	}
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	hello := goServer(t)
	real := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return hello }, nil)
	elsewhere := http.NewServeMux()
	elsewhere.Handle("/mcp", real)
	tls := httptest.NewTLSServer(real)
	t.Cleanup(tls.Close)
	plain := serve(page)
	for _, tt := range []struct {
		name, url string
		cause     diagnose.Cause
		says      string
	}{
		{"DNS", "http://no-such-host.invalid/mcp", diagnose.HostUnknown, "no-such-host.invalid does not exist"},
		{"nothing there", "http://127.0.0.1:" + silentPort(t) + "/mcp", diagnose.NothingListens, "nothing answers at 127.0.0.1"},
		{"own certificate", tls.URL, diagnose.CertificateInvalid, "certificate of 127.0.0.1"},
		{"http for https", strings.Replace(tls.URL, "https", "http", 1), diagnose.HTTPSNeeded, "speaks https, not http"},
		{"https for http", strings.Replace(plain, "http", "https", 1), diagnose.HTTPSUnknown, "speaks http, not https"},
		{"not found", serve(http.NotFound), diagnose.AddressUnknown, "has nothing at this address (HTTP 404)"},
		{"wrong path", serve(elsewhere.ServeHTTP), diagnose.AddressUnknown, "has nothing at this address"},
		{"a web page", plain, diagnose.AddressNotMCP, `a web page, "My shop"`},
		{"a key is wanted", serve(status(401, `{"error":"invalid_token"}`)), diagnose.SignInNeeded, "wants you to sign in"},
		{"refused", serve(status(403, `{"message":"Your plan has no MCP"}`)), diagnose.AccessDenied, "refuses access (HTTP 403): Your plan has no MCP"},
		{"moved", serve(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.org/mcp?key=abcdefghijkl0123", http.StatusPermanentRedirect)
		}), diagnose.ServerMoved, "https://example.org/mcp?key=…"},
		{"broken", serve(status(500, "boom")), diagnose.ServerFailing, "answers with an error (HTTP 500): boom"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{})
			_, err := h.Connect(t.Context(), client.Config{URL: tt.url})
			var e *client.Error
			if !errors.As(err, &e) || !errors.Is(err, client.ErrReach) || e.Report == nil || e.Report.Cause != tt.cause || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v, %+v; want %q", err, e, tt.says)
			}
			if tt.name == "wrong path" && e.Report.Args.Address != tt.url+"/mcp" {
				t.Errorf("the advice is %q", e.Report.Args.Address)
			}
		})
	}
}

// Keys in headers and in the address reach the server, but neither the trace nor an error.
func TestURLKeysStaySecret(t *testing.T) {
	t.Parallel()
	const key, query = "key-0123456789abcdef", "query-0123456789abcdef"
	s := goServer(t)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	var reject atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key || r.URL.Query().Get("token") != query || reject.Load() {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "no access with "+r.Header.Get("X-Api-Key"))
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	events := make(chan client.TraceEvent, 1000)
	o := client.Options{Trace: client.TraceOptions{Report: func(e client.TraceEvent) { events <- e }}}
	h := host(t, o)
	c := client.Config{URL: server.URL + "/mcp?token=" + query, Headers: []string{"X-Api-Key=" + key}}
	connect(t, h, c)
	reject.Store(true)
	_, err := h.Connect(t.Context(), c)
	if err == nil {
		t.Fatal("a rejected key connects")
	}
	for len(events) > 0 {
		if e := <-events; strings.Contains(string(e.Data), key) || strings.Contains(string(e.Data), query) {
			t.Errorf("the trace has a key: %s", e.Data)
		}
	}
	var e *client.Error
	if errors.As(err, &e); strings.Contains(fmt.Sprintf("%v %v %+v", err, e.Stderr, e.Report), key) || strings.Contains(err.Error(), query) {
		t.Errorf("the error has a key: %v %v", err, e.Stderr)
	}
}

// goated keeps a server's last messages for an inspector that the user opens later, without
// keys.
func TestLastMessagesWaitForTheInspector(t *testing.T) {
	t.Parallel()
	const key = "key-0123456789abcdef"
	s := goServer(t)
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(server.Close)
	recent := new(client.RecentTrace)
	h := host(t, client.Options{Trace: client.TraceOptions{
		Report: func(e client.TraceEvent) { t.Errorf("%s is reported", e.Data) }, Listening: func() bool { return false }, Recent: recent,
	}})
	connect(t, h, client.Config{URL: server.URL + "/mcp?token=" + key})
	var sent, received bool
	for _, e := range recent.Take() {
		sent = sent || e.Direction == client.Sent && strings.Contains(string(e.Data), "tools/list")
		received = received || e.Direction == client.Received && strings.Contains(string(e.Data), "result")
		if strings.Contains(string(e.Data), key) {
			t.Errorf("a kept message has a key: %s", e.Data)
		}
	}
	if !sent || !received {
		t.Errorf("sent %t, received %t", sent, received)
	}
}

// A failAuth is an authorizer that cannot begin a sign-in.
type failAuth struct{ error }

func (failAuth) Authorization(context.Context) (string, error)                    { return "", nil }
func (a failAuth) Rejected(context.Context, string, int, http.Header, bool) error { return a }
func (a failAuth) RejectedInBackground(context.Context, string) error             { return a }
func (failAuth) SignInImpossible()                                                {}

// The advice does not include "Sign in" if no sign-in can begin.
func TestAdviceWithoutASignIn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(server.Close)
	h := host(t, client.Options{Authorizer: func(client.Config) client.Authorizer { return failAuth{errors.New("it names no authorization server")} }})
	_, err := h.Connect(t.Context(), client.Config{URL: server.URL})
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.SignInImpossible || e.Report.Args.Text != "it names no authorization server" {
		t.Fatalf("got %v, %+v", err, e)
	}
}
