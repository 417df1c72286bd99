package httplink

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// Messages that were sent at the same time to an address that redirects move it, each of them, and
// not the address of the stream.
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

// A call that waits while another one begins a new session ends with its context.
func TestWaitingForASessionEndsWithTheContext(t *testing.T) {
	r := newRoute(&url.URL{})
	r.adopt("lost")
	r.greet([]byte(hello))
	began, finish, first := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := r.renew(t.Context(), "lost", func([]byte) (string, error) { began <- true; <-finish; return "next", nil })
		first <- err
	}()
	<-began
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
	if err := <-first; err != nil {
		t.Error(err)
	}
}
