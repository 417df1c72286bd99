package oauth

import (
	"strings"
	"testing"
)

// The sign-in to an address with a query is its own: the query may choose the project or the tenant.
// The query is not part of the resource unless the server says so, because it may hold a key.
func TestAddressesWithQueriesSignInApart(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, _ := memory()
	a := New(Options{Open: u.open, Keyring: ring})
	one := a.For(s.URL+"/mcp?project=a", "", "shop", Registration{})
	if err := request(t, s, one); err != nil {
		t.Fatal(err)
	}
	if !one.SignedIn() || strings.Contains(u.asked[0].URL, "project") {
		t.Errorf("the sign-in page is %s", u.asked[0].URL)
	}
	for _, other := range []string{"/mcp?project=b", "/mcp"} {
		if a.For(s.URL+other, "", "shop", Registration{}).SignedIn() {
			t.Errorf("%s has the token of ?project=a", other)
		}
	}
	if err := a.SignOut(s.URL+"/mcp?project=b", ""); err != nil || !one.SignedIn() {
		t.Errorf("signing out of ?project=b ends the sign-in to ?project=a: %v", err)
	}
}

// One server has one sign-in, however its address is written.
func TestOneServerHasOneSignIn(t *testing.T) {
	const address = "https://me:one@shop.example/mcp?a=b"
	for other, same := range map[string]bool{
		"HTTPS://me:two@Shop.Example/mcp?a=b#top": true, "https://me@shop.example/mcp/?a=b": true,
		"https://you@shop.example/mcp?a=b": false, "https://me@shop.example/mcp?a=c": false, "https://me@shop.example/other?a=b": false,
	} {
		if (ref(other, "") == ref(address, "")) != same {
			t.Errorf("%s shares the sign-in of %s: %t, want %t", other, address, !same, same)
		}
	}
}
