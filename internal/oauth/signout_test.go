package oauth

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"goated/internal/waittest"
)

// If the user signs out while goated exchanges tokens, the user stays signed out. The response
// restores no tokens, neither in memory nor in the keyring.
func TestSignOutDuringAnExchange(t *testing.T) {
	for name, get := range map[string]func(c *Client) error{
		"refresh after a rejection": func(c *Client) error {
			return c.Rejected(t.Context(), "Bearer "+c.current().Access, http.StatusUnauthorized, http.Header{}, false)
		},
		"refresh before the end": func(c *Client) error {
			g := c.current()
			g.Expires = time.Now().Add(time.Second)
			if err := c.keep(g); err != nil {
				return err
			}
			auth, err := c.Authorization(t.Context())
			if auth != "" || err != nil {
				t.Errorf("the request has %q: %v", auth, err)
			}
			return errSignedOut
		},
	} {
		for by, signOut := range map[string]func(a *Authority, c *Client, server string) error{
			"client":    func(_ *Authority, c *Client, _ string) error { return c.SignOut() },
			"authority": func(a *Authority, _ *Client, server string) error { return a.SignOut(server, "") },
		} {
			t.Run(name+" by "+by, func(t *testing.T) {
				s := newStrict(t)
				u := &user{t: t, strict: s}
				ring, values := memory()
				a := New(Options{Open: u.open, Keyring: ring})
				c := a.For(s.URL+"/mcp", "", "shop", Registration{})
				if err := request(t, s, c); err != nil {
					t.Fatal(err)
				}
				s.token = func(map[string]any) { // runs while goated waits for the response
					if err := signOut(a, c, s.URL+"/mcp"); err != nil {
						t.Error(err)
					}
				}
				if err := get(c); !errors.Is(err, errSignedOut) {
					t.Errorf("the error is %v", err)
				}
				if c.SignedIn() || len(values) > 0 || len(u.asked) != 1 {
					t.Errorf("signed in: %v, %d values, %d questions", c.SignedIn(), len(values), len(u.asked))
				}
			})
		}
	}
}

// A slow keyring, for example one that asks for its password, does not delay SignedIn, which the
// window calls.
func TestSlowKeyring(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	began, finish := make(chan bool), make(chan bool)
	ring.Save = func(string, string) error { began <- true; <-finish; return nil }
	c := New(Options{Open: u.open, Keyring: ring}).For(s.URL+"/mcp", "", "shop", Registration{})
	done := make(chan error, 1)
	go func() { done <- request(t, s, c) }()
	waittest.Receive(t, "the keyring is asked to save", began)
	if !c.SignedIn() {
		t.Error("the user is not signed in while the keyring saves")
	}
	close(finish)
	if err := waittest.Receive(t, "the request ends", done); err != nil {
		t.Error(err)
	}
}

// If the user signs out while the sign-in page is open, the user stays signed out.
func TestSignOutDuringASignIn(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, values := memory()
	c := New(Options{Open: u.open, Keyring: ring}).For(s.URL+"/mcp", "", "shop", Registration{})
	u.browse = func(back string) string {
		if err := c.SignOut(); err != nil {
			t.Error(err)
		}
		return back
	}
	if err := request(t, s, c); !errors.Is(err, errSignedOut) || c.SignedIn() || len(values) > 0 {
		t.Errorf("%v, signed in: %v, %d values", err, c.SignedIn(), len(values))
	}
}
