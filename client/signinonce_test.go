package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"goated/client/internal/httplink"
)

// A refusingAuth counts the questions to a user who does not sign in.
type refusingAuth struct{ asked *atomic.Int32 }

func (refusingAuth) Authorization(context.Context) (string, error) { return "", nil }
func (refusingAuth) RejectedInBackground(context.Context, string) error {
	return errors.New("nobody is asked")
}
func (a refusingAuth) Rejected(context.Context, string, int, http.Header, bool) error {
	a.asked.Add(1)
	return errors.New("you did not sign in")
}

// A server that wants a sign-in when it is restarted asks the user once. goated restarted it five times, and
// asked each time.
func TestRestartAsksForASignInOnce(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer web.Close()
	var asked atomic.Int32
	h := New(Options{Authorizer: func(Config) Authorizer { return refusingAuth{&asked} }})
	defer h.Close()
	s := newServer(h, Config{URL: web.URL})
	if err := h.list.add(s); err != nil {
		t.Fatal(err)
	}
	s.restartAfterCrash(0)
	h.wg.Done() // as supervise does
	if now := h.Snapshot().Servers[0]; asked.Load() != 1 || now.Status != Failed || !now.RetryAt.IsZero() {
		t.Errorf("it asked %d times, and is %v: %v", asked.Load(), now.Status, now.Err)
	}
}

// goated tries again to reach a server until the network is back, for example after this computer slept. It
// gave up after a few seconds, as after crashes.
func TestRestartWaitsForTheNetwork(t *testing.T) {
	t.Parallel()
	for kind, waits := range map[httplink.Kind]bool{httplink.UnknownHost: true, httplink.Refused: true, httplink.Unreachable: true, httplink.Failing: false} {
		s, now, more := new(server), time.Now(), true
		for n := 0; more && n < 20; n++ {
			var wait time.Duration
			if wait, more = pauseAfter(s, &Error{Kind: ErrReach, Err: &httplink.Fault{Kind: kind}}, now); wait > 30*time.Second {
				t.Errorf("it pauses %v", wait)
			}
		}
		if more != waits {
			t.Errorf("fault %d: it tries on: %t", kind, more)
		}
		if _, ok := s.crashes.Add(now, 0); ok != waits {
			t.Errorf("fault %d: a later crash ends the tries", kind)
		}
	}
}
