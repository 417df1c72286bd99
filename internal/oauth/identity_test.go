package oauth

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// An address with a query has a separate sign-in, because the query may choose a project or a
// tenant. The query is not part of the resource unless the server's metadata contains it, because
// it may contain a key.
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

// A server has one sign-in for all spellings of its address.
func TestOneServerHasOneSignIn(t *testing.T) {
	const address = "https://me:one@shop.example/mcp?a=b"
	for other, same := range map[string]bool{
		"HTTPS://me:two@Shop.Example/mcp?a=b#top": true, "https://me@shop.example:443/mcp?a=b": true, "https://me@shop.example:80/mcp?a=b": false, "https://me@shop.example/mcp/?a=b": true,
		"https://you@shop.example/mcp?a=b": false, "https://me@shop.example/mcp?a=c": false, "https://me@shop.example/other?a=b": false,
	} {
		if (ref(other, "") == ref(address, "")) != same {
			t.Errorf("%s shares the sign-in of %s: %t, want %t", other, address, !same, same)
		}
	}
}

// A default port in the address makes no difference, because the server describes itself without
// one. covers decides whether goated signs in for a resource, and tokens are for that resource.
func TestDefaultPortIsNoPartOfTheServer(t *testing.T) {
	for server, resource := range map[string]string{
		"https://shop.example:443/mcp": "https://shop.example/mcp", "https://shop.example/mcp": "https://shop.example:443", "http://localhost:80/mcp": "http://LOCALHOST/mcp",
	} {
		if !covers(resource, server) {
			t.Errorf("the resource %s does not cover %s", resource, server)
		}
	}
	if covers("https://shop.example:8443/mcp", "https://shop.example/mcp") || covers("http://shop.example:443/mcp", "https://shop.example/mcp") {
		t.Error("another port or scheme is another server")
	}
	if got := canonical("https://Shop.example:443/mcp"); got != "https://shop.example/mcp" {
		t.Errorf("the resource is %s", got)
	}
}

// goated uses the tokens that the keyring has under their former name, with the default port. It
// moves them to the new name, and a sign-out removes them.
func TestTokensUnderTheFormerName(t *testing.T) {
	const server = "https://me@Shop.example:443/mcp/?a=b"
	former := fmt.Sprintf("oauth-%x", sha256.Sum256([]byte("https://shop.example:443/mcp\nme\na=b\nwork")))[:38]
	ring, values := memory()
	values[former] = `{"access_token":"old"}`
	a := New(Options{Keyring: ring})
	c := a.For(server, "work", "shop", Registration{})
	if !c.SignedIn() {
		t.Fatal("the token is not found")
	}
	if err := c.keep(c.current()); err != nil || values[former] != "" || len(values) != 1 {
		t.Errorf("%v, the keyring has %q", err, values)
	}
	values[former] = values[ref(server, "work")]
	if err := a.SignOut(server, "work"); err != nil || len(values) > 0 {
		t.Errorf("%v, the keyring has %q", err, values)
	}
	if formerRef("https://shop.example/mcp", "") != "" || formerRef("https://shop.example:8443/mcp", "") != "" {
		t.Error("another address has a former name")
	}
}
