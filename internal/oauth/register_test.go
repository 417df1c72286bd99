package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"
)

// signed returns a user who has signed in to a server.
func signed(t *testing.T, own Registration) (*strict, *user, *Client) {
	t.Helper()
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	c := New(Options{Open: u.open, Keyring: ring}).For(s.URL+"/mcp", "", "shop", own)
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	return s, u, c
}

// expire makes all tokens expire, including the refresh tokens.
func (s *strict) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// forget makes the server refuse all clients that have registered so far.
func (s *strict) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.clients)
	s.forgets = true
}

// If the server has forgotten the registration, goated registers again, and the same request
// succeeds.
func TestForgottenRegistration(t *testing.T) {
	t.Run("at a refresh", func(t *testing.T) {
		s, u, c := signed(t, Registration{})
		clear(s.access)
		s.forget()
		if err := request(t, s, c); err != nil || len(u.asked) != 2 || s.visits("/register") != 2 {
			t.Errorf("%v after %d questions and %d registrations", err, len(u.asked), s.visits("/register"))
		}
	})
	t.Run("at a sign-in", func(t *testing.T) {
		s, u, c := signed(t, Registration{})
		s.expire()
		u.browse = func(back string) string {
			if len(u.asked) == 2 {
				s.forget() // after the sign-in page and before the tokens
			}
			return back
		}
		if err := request(t, s, c); err != nil || len(u.asked) != 3 || s.visits("/register") != 2 {
			t.Errorf("%v after %d questions and %d registrations", err, len(u.asked), s.visits("/register"))
		}
	})
	t.Run("each time", func(t *testing.T) {
		s, u, c := signed(t, Registration{})
		s.expire()
		u.browse = func(back string) string { s.forget(); return back }
		if err := request(t, s, c); !errors.Is(err, errClient) || len(u.asked) != 3 {
			t.Errorf("%v after %d questions", err, len(u.asked))
		}
	})
	t.Run("of the user", func(t *testing.T) {
		s, u, c := signed(t, Registration{ID: "mine"})
		s.expire()
		s.forget()
		if err := request(t, s, c); !errors.Is(err, errClient) || len(u.asked) != 2 || s.visits("/register") > 0 {
			t.Errorf("%v after %d questions and %d registrations", err, len(u.asked), s.visits("/register"))
		}
	})
}

// If a server has forgotten the registration, it shows an error page, and the browser never comes
// back. The next attempt registers again. Until then the old sign-in stays.
func TestBrowserThatNeverComesBack(t *testing.T) {
	s, u, c := signed(t, Registration{})
	s.expire()
	u.browse = func(back string) string { return without(back, "state") }
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	h := http.Header{"Www-Authenticate": {`Bearer resource_metadata="` + s.URL + `/.well-known/oauth-protected-resource/mcp"`}}
	if err := c.Rejected(ctx, "Bearer "+c.current().Access, http.StatusUnauthorized, h, false); !errors.Is(err, context.DeadlineExceeded) || !c.SignedIn() {
		t.Errorf("the error is %v, signed in: %v", err, c.SignedIn())
	}
	u.browse = nil
	s.forget()
	if err := request(t, s, c); err != nil || s.visits("/register") != 2 {
		t.Errorf("%v after %d registrations", err, s.visits("/register"))
	}
}

// goated does not reuse a registration whose secret has expired.
func TestExpiredSecret(t *testing.T) {
	for name, tt := range map[string]struct {
		ends   int64
		visits int
	}{"expired": {1, 2}, "valid": {time.Now().Add(time.Hour).Unix(), 1}, "for ever": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			s := newStrict(t)
			u := &user{t: t, strict: s}
			s.register = func(w http.ResponseWriter) bool {
				w.WriteHeader(http.StatusCreated)
				_ = json.NewEncoder(w).Encode(map[string]any{
					"client_id": "mine", "client_secret": "hush", "client_secret_expires_at": tt.ends, "token_endpoint_auth_method": "client_secret_post",
				})
				return true
			}
			ring, _ := memory()
			for range 2 { // each round is a start of goated
				c := New(Options{Open: u.open, Keyring: ring}).For(s.URL+"/mcp", "", "shop", Registration{})
				if err := request(t, s, c); err != nil {
					t.Fatal(err)
				}
				s.expire()
			}
			if len(u.asked) != 2 || s.visits("/register") != tt.visits {
				t.Errorf("%d questions and %d registrations", len(u.asked), s.visits("/register"))
			}
		})
	}
}
