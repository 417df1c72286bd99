//go:build unix

package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client"
	"goated/internal/wording"
)

// If a server answered initialize and then failed, goated reported that it does not answer, or
// that it refuses the connection. If the server exited, goated kept a second process running
// for 20 seconds.
func TestFailureAfterInitializeNamesItsStep(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ method, instead, want string }{
		"silent":  {"tools/list", "silent", "It answered initialize, but did not answer tools/list in time."},
		"refuses": {"tools/list", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"database not ready"}}`, "It answered tools/list with an error: database not ready."},
		"ends":    {"notifications/initialized", "exit 3", "It answered initialize and ended right after that, with exit status 3."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patiently(t, func(limit time.Duration) error {
				began := time.Now()
				_, err := wrong(t, client.Options{Timeouts: client.Timeouts{Connect: limit}}, tt.method, tt.instead)
				if why := wording.ReasonText(err); why != tt.want {
					return fmt.Errorf("%w: %s, want %s", err, why, tt.want)
				}
				if took := time.Since(began); took > limit+15*time.Second {
					return fmt.Errorf("it took %v", took)
				}
				return nil
			})
		})
	}
}

// goated reported that a server lacks a setting if it does not declare its tools.
func TestUndeclaredToolsAreNamed(t *testing.T) {
	t.Parallel()
	h, err := wrong(t, client.Options{}, "initialize", `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"w","version":"1"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := wording.NoToolsText(h.Snapshot().Servers[0]); !strings.Contains(got, "does not declare tools in capabilities") {
		t.Errorf("goated says %q", got)
	}
	if got := wording.NoToolsText(client.Server{}); !strings.Contains(got, "may need a setting") {
		t.Errorf("of another server, goated says %q", got)
	}
}

// Servers with a URL received the advice for a process or for a different fault.
func TestFaultsOfAURLHaveTheirOwnAdvice(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // of this host
		msg, _ := jsonrpc.DecodeMessage(body)
		if req, ok := msg.(*jsonrpc.Request); ok && !req.IsCall() {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
		case "/busy":
			w.Header().Set("Retry-After", "30")
			http.Error(w, "slow down", http.StatusTooManyRequests)
		case "/hang":
			<-stop
		}
	}))
	t.Cleanup(web.Close)
	t.Cleanup(func() { close(stop) })
	for path, want := range map[string]struct{ says, advice string }{
		"/loop":  {"it redirects in a circle, to /loop", "tell the people who run the server"},
		"/busy":  {"slow down (it asks goated to wait 30 seconds)", "Try again later"},
		"/empty": {"answers, but not with MCP: an empty answer", "Check the path of the address"},
		"/hang":  {"Connection timeout after ", "Check the address, your network"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			patiently(t, func(limit time.Duration) error {
				_, err := host(t, client.Options{Timeouts: client.Timeouts{Connect: limit}}).Connect(t.Context(), client.Config{URL: web.URL + path})
				if err == nil || !strings.Contains(err.Error(), want.says) || !strings.Contains(wording.Advice(err), want.advice) {
					return fmt.Errorf("%w (%s), want %+v", err, wording.Advice(err), want)
				}
				return nil
			})
		})
	}
}

// The advice for a call without an answer praised the answer.
func TestCallOfAURLWithoutAnAnswerDoesNotPraiseIt(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: bareURL(t, func(w http.ResponseWriter, _ any) { http.Error(w, "<html>502</html>", http.StatusBadGateway) })})
	_, err := h.Call(t.Context(), id+"__one", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "HTTP 502") || !strings.HasPrefix(wording.Advice(err), "Try again.") || strings.Contains(err.Error(), "made by goated") {
		t.Errorf("%v (%s)", err, wording.Advice(err))
	}
}
