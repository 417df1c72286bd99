package oauth

import (
	"errors"
	"testing"
)

// If a server rejects every token, goated asks the user once, and each error reports the rejection.
func TestServerThatRejectsTheSignIn(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	s.token = func(m map[string]any) {
		clear(s.access)
		delete(m, "refresh_token")
	}
	for n := range 2 {
		if err := request(t, s, c); !errors.Is(err, errRefused) || len(u.asked) != n+1 {
			t.Errorf("message %d: %v after %d questions", n, err, len(u.asked))
		}
	}
}

// If the server rejects the refreshed token, goated asks the user to sign in instead of refreshing
// again.
func TestRefreshThatGivesNoGoodToken(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	clear(s.access)
	s.token = func(map[string]any) {
		if len(u.asked) == 1 {
			clear(s.access)
		}
	}
	if err := request(t, s, c); err != nil || len(u.asked) != 2 || s.visits("/token") != 3 {
		t.Errorf("%v after %d questions and %d requests for tokens", err, len(u.asked), s.visits("/token"))
	}
}

// In the background, goated refreshes a token or uses a newer one, and never asks the user.
func TestRejectedInBackground(t *testing.T) {
	s := newStrict(t)
	u, one, two, _ := shared(t, s)
	old := "Bearer " + one.current().Access
	for _, c := range []*Client{one, two, two} {
		if err := c.RejectedInBackground(t.Context(), old); err != nil || s.visits("/token") != 2 {
			t.Errorf("%v after %d requests for tokens", err, s.visits("/token"))
		}
	}
	if err := two.SignOut(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Client{one, two} {
		if err := c.RejectedInBackground(t.Context(), "Bearer "+c.current().Access); !errors.Is(err, ErrSignIn) || len(u.asked) != 1 {
			t.Errorf("signed out: %v after %d questions", err, len(u.asked))
		}
	}
}
