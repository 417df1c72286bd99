package oauth

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"goated/internal/waittest"
)

// shared returns the sign-ins to s of two goated processes with one keyring. The user has signed in
// to the first process, and the second has the token too.
func shared(t *testing.T, s *strict) (u *user, one, two *Client, values map[string]string) {
	t.Helper()
	u = &user{t: t, strict: s}
	ring, values := memory()
	o := Options{Open: u.open, Keyring: ring}
	one, two = New(o).For(s.URL+"/mcp", "", "shop", Registration{}), New(o).For(s.URL+"/mcp", "", "shop", Registration{})
	for _, c := range []*Client{one, two} {
		if err := request(t, s, c); err != nil {
			t.Fatal(err)
		}
	}
	return u, one, two, values
}

// After one goated process refreshes, the other one's tokens are invalid, and it uses the new ones.
func TestProcessesShareRefreshedTokens(t *testing.T) {
	s := newStrict(t)
	u, one, two, _ := shared(t, s)
	for range 3 {
		clear(s.access) // all tokens have expired
		for _, c := range []*Client{one, two} {
			if err := request(t, s, c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(u.asked) != 1 || s.visits("/token") != 4 {
		t.Errorf("%d questions and %d requests for tokens", len(u.asked), s.visits("/token"))
	}
}

// A token that another process refreshed may itself have expired when this process needs it, for
// example after a night. The refresh token is still valid, so the user does not have to sign in.
func TestTokenOfAnotherProcessExpires(t *testing.T) {
	s := newStrict(t)
	u, one, two, _ := shared(t, s)
	clear(s.access)
	if err := request(t, s, one); err != nil {
		t.Fatal(err)
	}
	clear(s.access)
	if err := request(t, s, two); err != nil || len(u.asked) != 1 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
}

// Two processes that refresh at the same time send the same refresh token. The server accepts it
// once, and the slower process uses the tokens of the faster one.
func TestProcessesRefreshAtTheSameTime(t *testing.T) {
	s := newStrict(t)
	u, one, two, _ := shared(t, s)
	var first atomic.Bool
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" && first.CompareAndSwap(false, true) {
			if err := request(t, s, one); err != nil {
				t.Error(err)
			}
		}
		s.ServeHTTP(w, r)
	})
	clear(s.access)
	if err := request(t, s, two); err != nil || len(u.asked) != 1 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
}

// Instead of refreshing a token before it expires, goated uses a newer one from the other process.
// After a sign-out in the other process, goated refreshes and saves nothing.
func TestProcessesShareTheEnd(t *testing.T) {
	s := newStrict(t)
	_, one, two, values := shared(t, s)
	g := one.current()
	g.Expires = time.Now().Add(time.Second)
	for _, c := range []*Client{one, two} {
		if err := c.keep(g); err != nil {
			t.Fatal(err)
		}
	}
	a, err := one.Authorization(t.Context())
	if b, err2 := two.Authorization(t.Context()); errors.Join(err, err2) != nil || a != b || a == "Bearer "+g.Access || s.visits("/token") != 2 {
		t.Errorf("%v, one token: %t, %d requests for tokens", errors.Join(err, err2), a == b, s.visits("/token"))
	}
	g = two.current()
	g.Expires = time.Now().Add(time.Second)
	if err := errors.Join(two.keep(g), one.SignOut()); err != nil {
		t.Fatal(err)
	}
	if a, err := two.Authorization(t.Context()); a != "" || err != nil || len(values) > 0 {
		t.Errorf("after a sign-out: %v, a token: %t, %d values", err, a != "", len(values))
	}
}

// If a locked keyring did not answer at first, goated reads it again before it asks the user.
func TestKeyringThatAnswersLater(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	o := Options{Open: u.open, Keyring: ring}
	if err := request(t, s, New(o).For(s.URL+"/mcp", "", "shop", Registration{})); err != nil {
		t.Fatal(err)
	}
	load := ring.Load
	ring.Load = func(string) (string, error) { return "", errors.New("the keyring is locked") }
	c := New(o).For(s.URL+"/mcp", "", "shop", Registration{})
	if c.SignedIn() {
		t.Fatal("signed in without a token")
	}
	ring.Load = load
	if err := request(t, s, c); err != nil || len(u.asked) != 1 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
}

// If a keyring was locked while the user signed in or out, it has older tokens. They do not replace
// the newer ones when the keyring is unlocked.
func TestKeyringThatAnswersWithOlderTokens(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	o := Options{Open: u.open, Keyring: ring}
	if err := request(t, s, New(o).For(s.URL+"/mcp", "", "shop", Registration{})); err != nil {
		t.Fatal(err)
	}
	locked, open := errors.New("the keyring is locked"), *ring
	ring.Load = func(string) (string, error) { return "", locked }
	ring.Save = func(string, string) error { return locked }
	ring.Clear = func(string) error { return locked }
	in, out := New(o).For(s.URL+"/mcp", "", "shop", Registration{}), New(o).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, in); err != nil || len(u.asked) != 2 {
		t.Fatalf("%v after %d questions", err, len(u.asked))
	}
	if err := out.SignOut(); !errors.Is(err, locked) {
		t.Fatal(err)
	}
	*ring = open
	newest := in.current()
	clear(s.access)
	clear(s.refresh)
	s.refresh[newest.Refresh] = "read" // the server has ended the older sign-in
	if err := request(t, s, in); err != nil || len(u.asked) != 2 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
	if out.reload().Access != "" {
		t.Error("the keyring undoes a sign-out")
	}
}

// If a keyring rejects the new value, it keeps the older one. goated uses the newer tokens in
// memory.
func TestKeyringThatTakesNothing(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	o := Options{Open: u.open, Keyring: ring}
	c := New(o).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	ring.Save = func(string, string) error { return errors.New("the keyring is locked") }
	for range 3 {
		clear(s.access)
		if err := request(t, s, c); err != nil || len(u.asked) != 1 {
			t.Fatalf("%v after %d questions", err, len(u.asked))
		}
	}
}

// If the user signs out in another process during a refresh, the user stays signed out.
func TestSignOutInAnotherProcessDuringARefresh(t *testing.T) {
	s := newStrict(t)
	u, one, two, values := shared(t, s)
	s.token = func(map[string]any) {
		if err := one.SignOut(); err != nil {
			t.Error(err)
		}
	}
	clear(s.access)
	if err := request(t, s, two); !errors.Is(err, errSignedOut) || len(values) > 0 || two.SignedIn() || len(u.asked) != 1 {
		t.Errorf("%v, %d values, signed in: %t, %d questions", err, len(values), two.SignedIn(), len(u.asked))
	}
	s.token = nil
	if err := request(t, s, two); err != nil || len(u.asked) != 2 || len(values) != 1 {
		t.Errorf("the next sign-in: %v after %d questions, %d values", err, len(u.asked), len(values))
	}
}

// Processes with a folder for lock files refresh one at a time, because some servers end the
// sign-in when they see a refresh token twice.
func TestProcessesRefreshInTurn(t *testing.T) {
	s := newStrict(t)
	_, one, two, _ := shared(t, s)
	one.authority.o.Locks = t.TempDir()
	two.authority.o.Locks = one.authority.o.Locks
	old := "Bearer " + one.current().Access
	var sent atomic.Int32
	other := make(chan error, 1)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" && sent.Add(1) == 1 {
			began := make(chan bool)
			go func() { close(began); other <- two.RejectedInBackground(t.Context(), old) }()
			<-began
		}
		s.ServeHTTP(w, r)
	})
	if err := one.RejectedInBackground(t.Context(), old); err != nil {
		t.Error(err)
	}
	if err := waittest.Receive(t, "the refresh of the other process ends", other); err != nil || sent.Load() != 1 || two.current().Access != one.current().Access {
		t.Errorf("%v after %d requests for tokens", err, sent.Load())
	}
}
