package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/internal/waittest"
)

// A user signs in once. Only the keyring stores the tokens, and the next start uses them. goated
// refreshes them, and uses each refresh token once. The log hides them.
func TestSignInLasts(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, values := memory()
	var hidden []string
	o := Options{Open: u.open, Keyring: ring, Secret: func(v string) { hidden = append(hidden, v) }}
	c := New(o).For(s.URL+"/mcp", "", "shop", Registration{})
	for range 3 {
		if err := request(t, s, c); err != nil {
			t.Fatal(err)
		}
	}
	if len(u.asked) != 1 || u.asked[0].Server != "shop" || !strings.HasPrefix(s.URL, "http://"+u.asked[0].Host) || !slices.Contains(u.asked[0].Scopes, "offline_access") {
		t.Errorf("asked for %+v", u.asked)
	}
	if len(values) != 1 || !strings.Contains(u.pages[0], "You are signed in") {
		t.Errorf("%d values, and the page is %q", len(values), u.pages)
	}
	c = New(o).For(s.URL+"/mcp", "", "shop", Registration{}) // the next start
	s.access = map[string]string{}                           // all tokens have expired
	if err := request(t, s, c); err != nil || len(u.asked) != 1 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
	g := c.current()
	g.Expires = time.Now().Add(time.Second)
	if err := c.keep(g); err != nil {
		t.Fatal(err)
	}
	if auth, err := c.Authorization(t.Context()); err != nil || auth == "Bearer "+g.Access {
		t.Errorf("a token that expires is not refreshed: %v", err)
	}
	for _, secret := range []string{g.Access, g.Refresh} {
		if !slices.Contains(hidden, secret) {
			t.Error("a token is not hidden")
		}
	}
	if err := (&Authority{o: o, clients: map[string]*Client{c.ref: c}}).SignOut(s.URL+"/mcp", ""); err != nil || len(values) > 0 || c.SignedIn() {
		t.Errorf("signed out: %v, %d values", err, len(values))
	}
}

// If the server wants more scopes later, goated requests them together with the earlier ones. It
// does not ask for the same scopes twice.
func TestMoreScopes(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	s.needed = "write"
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	last := u.asked[len(u.asked)-1]
	if !last.Again || !slices.Contains(last.Scopes, "read") || !slices.Contains(last.Scopes, "write") {
		t.Errorf("asked for %+v", last)
	}
	s.token = func(m map[string]any) { // the server never grants it
		m["scope"] = "read"
		s.access[m["access_token"].(string)] = "read"
	}
	s.access = map[string]string{}
	s.refresh = map[string]string{}
	if err := request(t, s, c); err == nil || len(u.asked) > 4 {
		t.Errorf("%v after %d questions", err, len(u.asked))
	}
}

// If a server names no scopes, goated requests none: "omitting the `scope` parameter if
// `scopes_supported` is undefined". A token for offline_access alone could do nothing.
func TestNoScopesAreAskedForIfNoneAreNamed(t *testing.T) {
	s := newStrict(t)
	s.resource = func(m map[string]any) { delete(m, "scopes_supported") }
	s.serveAny()
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	if len(u.asked) != 1 || len(u.asked[0].Scopes) > 0 || strings.Contains(u.asked[0].URL, "scope=") {
		t.Errorf("asked for %+v", u.asked)
	}
}

// Each documented attack ends without a token and without a request to the attacker.
func TestAttacks(t *testing.T) {
	attacker := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the attacker got a request") }))
	t.Cleanup(attacker.Close)
	set := func(name string, value any) func(map[string]any) {
		return func(m map[string]any) { m[name] = value }
	}
	for name, tt := range map[string]struct {
		attack func(s *strict, u *user)
		public bool // the server is on the internet
		says   string
	}{
		"audience: a token for another server": {func(s *strict, _ *user) { s.resource = set("resource", "https://bank.example/mcp") }, false, "another server"},
		"audience: a sibling path":             {func(s *strict, _ *user) { s.resource = set("resource", s.URL+"/mcp-other") }, false, "another server"},
		"audience: another query":              {func(s *strict, _ *user) { s.resource = set("resource", s.URL+"/mcp?project=other") }, false, "another server"},
		"no authorization server":              {func(s *strict, _ *user) { s.resource = set("authorization_servers", []string{}) }, false, "names no authorization server"},
		"plain http authorization server":      {func(s *strict, _ *user) { s.resource = set("authorization_servers", []string{"http://as.example"}) }, false, "does not use https"},
		"javascript authorization server":      {func(s *strict, _ *user) { s.resource = set("authorization_servers", []string{"javascript:alert(1)"}) }, false, "not an address"},
		"mix-up: metadata of another issuer":   {func(s *strict, _ *user) { s.meta = set("issuer", "https://honest.example") }, false, "does not match"},
		"mix-up: answer of another issuer":     {func(s *strict, _ *user) { s.answer = func(q url.Values) { q.Set("iss", attacker.URL) } }, false, "another authorization server"},
		"mix-up: no issuer":                    {func(s *strict, _ *user) { s.answer = func(q url.Values) { q.Del("iss") } }, false, "does not name the authorization server"},
		"mix-up: issuer of a silent server": {func(s *strict, _ *user) {
			s.meta = set("authorization_response_iss_parameter_supported", false)
			s.answer = func(q url.Values) { q.Set("iss", attacker.URL) }
		}, false, "another authorization server"},
		"no PKCE":                  {func(s *strict, _ *user) { s.meta = set("code_challenge_methods_supported", []string{}) }, false, "PKCE"},
		"PKCE downgrade":           {func(s *strict, _ *user) { s.meta = set("code_challenge_methods_supported", []string{"plain"}) }, false, "PKCE"},
		"implicit flow":            {func(s *strict, _ *user) { s.meta = set("response_types_supported", []string{"token"}) }, false, "authorization codes"},
		"sign-in page over http":   {func(s *strict, _ *user) { s.meta = set("authorization_endpoint", "http://as.example/a") }, false, "does not use https"},
		"sign-in page is a script": {func(s *strict, _ *user) { s.meta = set("authorization_endpoint", "javascript:alert(1)") }, false, "not an address"},
		"parameters in the page": {func(s *strict, _ *user) {
			s.meta = set("authorization_endpoint", s.URL+"/authorize?redirect_uri=https://evil.example")
		}, false, `sets "redirect_uri"`},
		"token endpoint over http": {func(s *strict, _ *user) { s.meta = set("token_endpoint", "http://as.example/t") }, false, "does not use https"},
		"password in an address": {func(s *strict, _ *user) {
			s.meta = set("token_endpoint", strings.Replace(s.URL, "://", "://u:p@", 1)+"/token")
		}, false, "password"},
		"redirected metadata": {func(s *strict, _ *user) {
			s.header = func(_ int, h http.Header) { h.Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/redirect"`) }
			s.register = nil
			s.Config.Handler = redirecting(s, attacker.URL)
		}, false, "redirects"},
		"redirected token request": {func(s *strict, _ *user) {
			s.meta = set("token_endpoint", s.URL+"/redirect")
			s.Config.Handler = redirecting(s, attacker.URL)
		}, false, "redirects"},
		"SSRF: metadata on this computer": {func(s *strict, _ *user) {
			s.header = func(_ int, h http.Header) {
				h.Set("WWW-Authenticate", `Bearer resource_metadata="`+strings.Replace(attacker.URL, "http:", "https:", 1)+`"`)
			}
		}, true, "inside your network"},
		"SSRF: metadata of the cloud": {func(s *strict, _ *user) {
			s.header = func(_ int, h http.Header) {
				h.Set("WWW-Authenticate", `Bearer resource_metadata="https://169.254.169.254/latest"`)
			}
		}, true, "inside your network"},
		"code without state":   {func(_ *strict, u *user) { u.browse = func(b string) string { return without(b, "state") } }, false, "deadline"},
		"code of another flow": {func(_ *strict, u *user) { u.browse = func(b string) string { return with(b, "state", "guessed") } }, false, "deadline"},
		"code injected twice":  {func(_ *strict, u *user) { u.browse = func(b string) string { return b + "&code=stolen" } }, false, "twice"},
		"stolen code":          {func(_ *strict, u *user) { u.browse = func(b string) string { return with(b, "code", "stolen") } }, false, "invalid_grant"},
		"another path": {func(_ *strict, u *user) {
			u.browse = func(b string) string { return strings.Replace(b, "/callback", "/other", 1) }
		}, false, "deadline"},
		"user says no": {func(s *strict, _ *user) {
			s.answer = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
		}, false, "did not allow"},
		"control characters":    {func(s *strict, _ *user) { s.answer = func(q url.Values) { q.Del("code"); q.Set("error", "x\x1b[2J") } }, false, "the sign-in failed: x"},
		"token with a line":     {func(s *strict, _ *user) { s.token = set("access_token", "a\r\nX-Evil: 1") }, false, "none that can be sent"},
		"token of another kind": {func(s *strict, _ *user) { s.token = set("token_type", "mac") }, false, "not a bearer token"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStrict(t)
			u := &user{t: t, strict: s}
			tt.attack(s, u)
			limit := time.Minute
			if tt.says == "deadline" {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			a := New(Options{Open: u.open})
			if tt.public {
				a.peer = func(context.Context, string) peer { return peer{reach: public} }
			}
			c := a.For(s.URL+"/mcp", "", "shop", Registration{})
			if tt.public {
				c.server = strings.Replace(c.server, "http:", "https:", 1)
			}
			h := make(http.Header)
			h.Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/.well-known/oauth-protected-resource/mcp"`)
			if s.header != nil {
				s.header(http.StatusUnauthorized, h)
			}
			err := c.Rejected(ctx, "", http.StatusUnauthorized, h, false)
			if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("the error is %v, want %q", err, tt.says)
			}
			if c.SignedIn() {
				t.Error("the user is signed in")
			}
		})
	}
}

// redirecting serves like s, except that /redirect redirects to another host.
func redirecting(s *strict, to string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
			return
		}
		s.ServeHTTP(w, r)
	})
}

func with(address, name, value string) string {
	u, _ := url.Parse(address)
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func without(address, name string) string {
	u, _ := url.Parse(address)
	q := u.Query()
	q.Del(name)
	u.RawQuery = q.Encode()
	return u.String()
}

// A page in the browser that guesses the address cannot end the sign-in. The right answer is still
// accepted, once.
func TestForgedAnswersChangeNothing(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	u.browse = func(back string) string {
		for _, forged := range []string{with(back, "state", "guessed"), without(back, "state"), strings.Replace(back, "127.0.0.1", "localhost", 1)} {
			if status := u.visit(forged); status == http.StatusOK {
				t.Errorf("%s is taken", forged)
			}
		}
		return back
	}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); err != nil {
		t.Error(err)
	}
}

// If a sign-in uses plain http or fails, the error tells the user what happened and what to do
// next.
func TestSentencesOfFailures(t *testing.T) {
	c := New(Options{}).For("http://8.8.8.8/mcp", "", "shop", Registration{})
	if err := c.Rejected(t.Context(), "", http.StatusUnauthorized, nil, false); err == nil || err.Error() != "it does not use https, so others on the network could read your sign-in" {
		t.Error(err)
	}
	s := newStrict(t)
	s.answer = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
	u := &user{t: t, strict: s}
	if err := request(t, s, New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})); err == nil {
		t.Error("the user is signed in")
	}
	if len(u.pages) != 1 || !strings.Contains(u.pages[0], "Sign-in failed") || !strings.Contains(u.pages[0], "Go back to goated to see the reason.") {
		t.Errorf("the page is %q", u.pages)
	}
}

// A registration and its tokens belong to one issuer. After a server moves to another authorization
// server, that one gets neither.
func TestRegistrationBelongsToItsIssuer(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	ring, values := memory()
	c := New(Options{Open: u.open, Keyring: ring}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := c.keep(grant{Issuer: "https://old.example", Resource: s.URL + "/mcp", Client: client{ID: "client-of-old", Secret: "hush", Redirect: "http://127.0.0.1:1/callback"}, Scopes: []string{"old"}}); err != nil {
		t.Fatal(err)
	}
	if err := request(t, s, c); err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if strings.Contains(v, "client-of-old") || strings.Contains(v, "hush") || strings.Contains(u.asked[0].URL, "client-of-old") {
			t.Errorf("the registration goes on: %s", v)
		}
	}
}

// register tries the ways to register in the order of the specification.
func TestRegistrations(t *testing.T) {
	const document = "https://goated.example/client.json"
	for name, tt := range map[string]struct {
		own      Registration
		document bool
		want     string
		visits   int
	}{
		"dynamic":  {want: "client-", visits: 1},
		"document": {document: true, want: document},
		"own":      {own: Registration{ID: "mine"}, document: true, want: "mine"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrict(t)
			s.meta = func(m map[string]any) { m["client_id_metadata_document_supported"] = tt.document }
			u := &user{t: t, strict: s}
			c := New(Options{Open: u.open, ClientDocument: document}).For(s.URL+"/mcp", "", "shop", tt.own)
			if err := request(t, s, c); err != nil {
				t.Fatal(err)
			}
			if got := c.current().Client.ID; !strings.HasPrefix(got, tt.want) || s.visits("/register") != tt.visits {
				t.Errorf("registered as %s after %d requests", got, s.visits("/register"))
			}
		})
	}
}

// Without a registration endpoint, the error tells the user what to do, and goated then uses the
// user's client.
func TestServerWithoutRegistration(t *testing.T) {
	s := newStrict(t)
	s.meta = func(m map[string]any) { delete(m, "registration_endpoint") }
	u := &user{t: t, strict: s}
	var hidden []string
	a := New(Options{Open: u.open, Secret: func(v string) { hidden = append(hidden, v) }})
	if err := request(t, s, a.For(s.URL+"/mcp", "", "shop", Registration{})); !errors.Is(err, errNoRegistration) || !strings.Contains(err.Error(), "set the variable OAUTH_CLIENT_ID of this server") {
		t.Errorf("the error is %v", err)
	}
	c := a.For(s.URL+"/mcp", "", "shop", Registration{ID: "mine", Secret: "hush"})
	if err := request(t, s, c); err != nil || c.current().Client.ID != "mine" || !slices.Contains(hidden, "hush") {
		t.Errorf("%v as %+v", err, c.current().Client)
	}
}

// A server of MCP 2025-03-26 has no metadata. Its authorization server is at its root.
func TestOldServersWithoutMetadata(t *testing.T) {
	s := newStrict(t)
	s.resource = func(m map[string]any) { clear(m) }
	s.header = func(_ int, h http.Header) { h.Set("WWW-Authenticate", "Bearer") }
	s.meta = func(m map[string]any) { clear(m) }
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	s.needed = ""
	s.serveAny()
	if err := request(t, s, c); err != nil {
		t.Error(err)
	}
}

// serveAny accepts a token of any scope.
func (s *strict) serveAny() {
	s.token = func(m map[string]any) {
		s.access[m["access_token"].(string)] = "any"
		s.needed = "any"
	}
}

// Without a user to ask, goated returns ErrSignIn and sends nothing.
func TestNobodyToAsk(t *testing.T) {
	s := newStrict(t)
	c := New(Options{}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := request(t, s, c); !errors.Is(err, ErrSignIn) || s.visits("/register") > 0 {
		t.Error(err)
	}
}

// Many requests that are rejected at the same time ask the user only once.
func TestOneQuestionForManyRequests(t *testing.T) {
	s := newStrict(t)
	u := &user{t: t, strict: s}
	c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
	errs := make(chan error, 10)
	for range cap(errs) {
		go func() { errs <- request(t, s, c) }()
	}
	for range cap(errs) {
		if err := waittest.Receive(t, "a request ends", errs); err != nil {
			t.Error(err)
		}
	}
	if len(u.asked) != 1 {
		t.Errorf("%d questions", len(u.asked))
	}
}

// No header makes goated crash: a bad one only causes an error.
func FuzzChallenge(f *testing.F) {
	f.Add(`Bearer resource_metadata="https://a.test", scope="a b", error="insufficient_scope"`)
	f.Add(`Basic realm="x", Bearer`)
	f.Fuzz(func(t *testing.T, text string) {
		c := challengeOf(http.Header{"Www-Authenticate": {text}})
		if _, err := json.Marshal(c.scopes); err != nil {
			t.Fatal(err)
		}
	})
}
