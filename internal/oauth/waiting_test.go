package oauth

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"goated/internal/waittest"
)

// A request that waits for another request's sign-in ends when its context ends, because a sign-in
// may take ten minutes.
func TestWaitingRequestsEndWithTheirContext(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	asked, answer := make(chan bool), make(chan bool)
	c := New(Options{Open: func(ctx context.Context, r Request) error {
		asked <- true
		<-answer
		return u.open(ctx, r)
	}}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := c.keep(grant{Access: "a", Refresh: "b", Expires: time.Now()}); err != nil {
		t.Fatal(err)
	}
	first := make(chan error, 1)
	go func() { first <- c.Rejected(t.Context(), "Bearer a", http.StatusUnauthorized, nil, true) }()
	waittest.Receive(t, "the user is asked", asked)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	rest := make(chan error, 2)
	go func() { rest <- c.Rejected(over, "Bearer a", http.StatusUnauthorized, nil, false) }()
	go func() {
		_, err := c.Authorization(over)
		rest <- err
	}()
	for range cap(rest) {
		select {
		case err := <-rest:
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		case <-time.After(5 * time.Second):
			t.Error("a request waits although its context has ended")
		}
	}
	close(answer)
	if err := waittest.Receive(t, "the request ends", first); err != nil {
		t.Error(err)
	}
}
