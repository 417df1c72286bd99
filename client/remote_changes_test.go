//go:build unix

package client_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// goated lists tools that a server adds later, in both versions of the protocol.
func TestURLServerAddsATool(t *testing.T) {
	t.Parallel()
	for _, stateless := range []bool{false, true} {
		t.Run(fmt.Sprint("stateless ", stateless), func(t *testing.T) {
			t.Parallel()
			s := goServer(t)
			server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless}))
			t.Cleanup(server.Close)
			h := host(t, client.Options{})
			id := connect(t, h, client.Config{URL: server.URL})
			if _, err := h.Call(t.Context(), id+"__grow", nil, nil); err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the new tool is listed", func() bool { return len(h.Snapshot().Servers[0].Tools) == 4 })
		})
	}
}

// A server drops its notifications before the stream for them is open. goated fetches the list
// again as soon as the stream is open.
func TestURLChangesBeforeTheStreamOpens(t *testing.T) {
	t.Parallel()
	s := goServer(t)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	waiting, open := make(chan struct{}, 8), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			waiting <- struct{}{}
			select {
			case <-open:
			case <-r.Context().Done():
			}
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: server.URL})
	changed, err := client.Subscribe(t.Context(), h, id, "note://size")
	if err != nil || changed == nil {
		t.Fatalf("following: %v, %v", changed, err)
	}
	waittest.Receive(t, "the server is asked for its changes", waiting)
	if _, err := h.Call(t.Context(), id+"__grow", nil, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // the SDK sends the notification in the meantime, while no stream is open
	close(open)
	waittest.Until(t, "the new tool is listed", func() bool { return len(h.Snapshot().Servers[0].Tools) == 4 })
	waittest.Until(t, "the resource counts as changed", func() bool { return len(changed) == 1 })
}

// A restarted server has forgotten the session. The next call starts a new session and is
// answered.
func TestURLSessionIsRenewed(t *testing.T) {
	t.Parallel()
	first, second := goServer(t), goServer(t) // made before the host, so that their sessions end after it
	var handler atomic.Pointer[mcp.StreamableHTTPHandler]
	start := func(s *mcp.Server) {
		handler.Store(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	}
	start(first)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: server.URL})
	start(second)
	for range 3 {
		if _, err := h.Call(t.Context(), id+"__add", map[string]any{"a": 2, "b": 3}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// goated reconnects a server that was gone when the server is back.
func TestURLServerComesBack(t *testing.T) {
	t.Parallel()
	s := goServer(t)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	first := &http.Server{Handler: handler}
	go func() { _ = first.Serve(l) }()
	h := host(t, client.Options{Restart: true})
	id := connect(t, h, client.Config{URL: "http://" + addr})
	_ = first.Close()
	// The call ends the connection, unless the host has already noticed the server's end. In
	// that case the tool has left the registry. If the server ends while it has the call, its tool
	// may have run, so the call failed.
	_, err = h.Call(t.Context(), id+"__add", map[string]any{"a": 2, "b": 3}, nil)
	during := errors.Is(err, client.ErrTool) && strings.Contains(err.Error(), "the connection ended before the server answered")
	if !errors.Is(err, client.ErrDisconnected) && !errors.Is(err, client.ErrToolNotFound) && !during {
		t.Fatalf("a call to a server that is gone: %v", err)
	}
	l, err = net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	second := &http.Server{Handler: handler}
	go func() { _ = second.Serve(l) }()
	defer second.Close()
	waittest.Until(t, "the server answers again", func() bool {
		_, err := h.Call(t.Context(), id+"__add", map[string]any{"a": 2, "b": 3}, nil)
		return err == nil
	})
}

// The advice does not include "Try again" if a server rejects the user, nor the server's log,
// which is elsewhere.
func TestAdviceAfterARefusedCall(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":"forbidden","message":"your plan has no API access"}`: "The server's answer says what was wrong.",
		"": "Check that your account or key may use this server.",
	} {
		for _, status := range []int{http.StatusForbidden, http.StatusUnauthorized} {
			if status == http.StatusUnauthorized && body != "" {
				continue
			}
			s := goServer(t)
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
			var refuse atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if refuse.Load() && r.Method == http.MethodPost {
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
					return
				}
				handler.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			h := host(t, client.Options{})
			connect(t, h, client.Config{URL: server.URL})
			refuse.Store(true)
			_, err := h.Call(t.Context(), h.Snapshot().Servers[0].Tools[0].Name, nil, nil)
			if got := wording.Advice(err); err == nil || !strings.HasPrefix(got, want) {
				t.Errorf("HTTP %d with %q: %v (%s)", status, body, err, got)
			}
			refuse.Store(false)
		}
	}
}
