package httplink

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"goated/internal/waittest"
)

// Several messages sent at the same time to a URL that redirects each move that URL, but not the
// URL of the stream.
func TestMovesKeepTheOtherAddress(t *testing.T) {
	old, moved := &url.URL{Path: "/messages"}, &url.URL{Path: "/messages/"}
	r := newRoute(&url.URL{Path: "/sse"})
	r.useSSE(old)
	r.move(http.MethodPost, moved)
	r.move(http.MethodPost, moved)
	for method, want := range map[string]string{http.MethodPost: "/messages/", http.MethodGet: "/sse"} {
		if u, _ := r.target(method); u.Path != want {
			t.Errorf("%s goes to %s, want %s", method, u.Path, want)
		}
	}
}

// A call's wait for another call's new session ends with its context.
func TestWaitingForASessionEndsWithTheContext(t *testing.T) {
	r := newRoute(&url.URL{})
	r.setSession("lost")
	r.setGreeting([]byte(hello))
	began, finish, first := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := r.renew(t.Context(), "lost", func([]byte) (string, error) { began <- true; <-finish; return "next", nil })
		first <- err
	}()
	waittest.Receive(t, "the renewal begins", began)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	second := make(chan error, 1)
	go func() {
		_, err := r.renew(over, "lost", nil)
		second <- err
	}()
	select {
	case err := <-second:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the call waits although its context has ended")
	}
	close(finish)
	if err := waittest.Receive(t, "the renewal ends", first); err != nil {
		t.Error(err)
	}
}

// A redirect to an explicit default port stays within the origin.
func TestRedirectsWithinTheOrigin(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"https://a.example/mcp", "https://a.example:443/mcp/", true},
		{"http://a.example:80/mcp", "https://a.example/mcp", true},
		{"http://a.example/mcp", "https://A.example:443/mcp", true},
		{"https://a.example/mcp", "https://a.example:8443/mcp", false},
		{"https://a.example/mcp", "http://a.example/mcp", false},
		{"http://a.example/mcp", "https://b.example/mcp", false},
		{"https://a.example/mcp", "https://me@a.example/mcp", false},
	} {
		from, _ := url.Parse(tt.from)
		if _, ok := resolveRedirect(from, tt.to); ok != tt.want {
			t.Errorf("%s to %s: %t", tt.from, tt.to, ok)
		}
	}
}
