package oauth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A guessed address ended the discovery if it had the page of an app, a redirect to a sign-in page,
// or an error.
func TestUnusableGuessesAreSkipped(t *testing.T) {
	const resource, issuer, openID = "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	wrong := map[string]http.HandlerFunc{
		"a page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>an app</html>"))
		},
		"a redirect":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) },
		"a failure":       func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) },
		"other JSON":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"message":"hello"}`)) },
		"a list":          func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`[]`)) },
		"an empty answer": func(http.ResponseWriter, *http.Request) {},
	}
	for name, answer := range wrong {
		for at, tt := range map[string]struct {
			moved map[string]string // the path of a document to its new path; empty: removed
		}{
			"at the path of the server":   {map[string]string{resource + "/mcp": resource}},
			"for the resource":            {map[string]string{resource + "/mcp": "", resource: ""}},
			"for the authorization alone": {map[string]string{issuer: openID}},
		} {
			t.Run(name+" "+at, func(t *testing.T) {
				t.Parallel()
				s := newStrict(t)
				s.serveAny()
				real := make(map[string]string)
				for from, to := range tt.moved {
					real[to] = from
				}
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if from, ok := real[r.URL.Path]; ok {
						r.URL.Path = from
					} else if _, ok := tt.moved[r.URL.Path]; ok {
						answer(w, r)
						return
					}
					s.ServeHTTP(w, r)
				})
				u := &user{t: t, strict: s}
				c := New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{})
				h := http.Header{"Www-Authenticate": {"Bearer"}}
				if err := c.Rejected(t.Context(), "", http.StatusUnauthorized, h, false); err != nil || !c.SignedIn() {
					t.Errorf("signing in: %v", err)
				}
			})
		}
	}
}

// A failing server must not count as a server of MCP 2025-03-26 without metadata. If nothing can be
// used, the error reports the first failure.
func TestFailureOfTheDiscoveryIsSaid(t *testing.T) {
	s := newStrict(t)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/.well-known/") {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		s.ServeHTTP(w, r)
	})
	c := New(Options{}).For(s.URL+"/mcp", "", "shop", Registration{})
	if err := c.Rejected(t.Context(), "", http.StatusUnauthorized, nil, false); err == nil || !strings.Contains(err.Error(), "reading how to sign in: HTTP 500") {
		t.Errorf("the error is %v", err)
	}
}

// ImpossibleError marks only the sign-ins that cannot begin, because asking again does not help there.
func TestHopelessSignIns(t *testing.T) {
	for name, tt := range map[string]struct {
		wrong func(s *strict)
		none  bool
	}{
		"no PKCE":         {func(s *strict) { s.meta = func(m map[string]any) { delete(m, "code_challenge_methods_supported") } }, true},
		"no registration": {func(s *strict) { s.meta = func(m map[string]any) { delete(m, "registration_endpoint") } }, true},
		"refused registration": {func(s *strict) {
			s.register = func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusForbidden); return true }
		}, true},
		"no authorization server": {func(s *strict) { s.resource = func(m map[string]any) { delete(m, "authorization_servers") } }, true},
		"the user says no": {func(s *strict) {
			s.answer = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStrict(t)
			tt.wrong(s)
			u := &user{t: t, strict: s}
			err := request(t, s, New(Options{Open: u.open}).For(s.URL+"/mcp", "", "shop", Registration{}))
			var none interface{ SignInImpossible() }
			if err == nil || errors.As(err, &none) != tt.none {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
