package oauth

import (
	"context"
	"errors"
	"testing"
)

// If the user closes the question about more scopes, the next request asks again, because nothing
// was granted.
func TestAClosedQuestionIsNoPermission(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	closed := false
	open := func(ctx context.Context, r Request) error {
		if closed {
			u.asked = append(u.asked, r)
			return errors.New("the question was closed")
		}
		return u.open(ctx, r)
	}
	c := New(Options{Open: open}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	s.needed, closed = "write", true
	for want := 2; want <= 3; want++ {
		if err := request(t, s, c); err == nil || len(u.asked) != want {
			t.Fatalf("%v after %d questions, want %d", err, len(u.asked), want)
		}
	}
	closed = false
	if err := request(t, s, c); err != nil {
		t.Error(err)
	}
}

// A new sign-in requests only the scopes of the resource. goated can then ask again for a scope
// that the user had granted before.
func TestANewSignInLacksTheScopesOfTheOld(t *testing.T) {
	s, u, c := signed(t, Registration{})
	s.needed = "write"
	for range 2 {
		if err := request(t, s, c); err != nil {
			t.Fatalf("%v after %d questions", err, len(u.asked))
		}
		s.expire()
	}
	if len(u.asked) != 4 {
		t.Errorf("%d questions, want a sign-in and one for more scopes, twice", len(u.asked))
	}
}
