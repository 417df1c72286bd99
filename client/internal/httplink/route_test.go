package httplink

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
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

// A server may end its sessions as often as it likes over days. The hundred-and-first renewal of a connection
// failed, however late it came.
func TestRenewalsAreBoundedPerHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, n := newRoute(&url.URL{}), 0
		r.setGreeting([]byte(hello))
		renew := func() error {
			_, err := r.renew(t.Context(), r.sessionID(), func([]byte) (string, error) { n++; return fmt.Sprint("session-", n), nil })
			return err
		}
		for range 2 * maxRenewals {
			if err := renew(); err != nil {
				t.Fatalf("after %d renewals: %v", n, err)
			}
			time.Sleep(5 * time.Minute)
		}
		for range maxRenewals + 1 {
			if renew() != nil {
				return
			}
		}
		t.Error("a server may lose each session")
	})
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
