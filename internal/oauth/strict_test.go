package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"goated/internal/config"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A strict is an MCP server and its authorization server in one. It rejects everything that the
// standards forbid. A test changes a field to turn it into an attacker.
type strict struct {
	t *testing.T
	*httptest.Server

	// These change how the server describes itself. A value of nil or "" removes a field.
	meta     func(m map[string]any)
	resource func(m map[string]any)
	header   func(status int, h http.Header)
	answer   func(q url.Values) // changes the answer of the sign-in page
	token    func(m map[string]any)
	register func(w http.ResponseWriter) bool
	forgets  bool         // the token endpoint refuses clients that are not in clients
	mcp      http.Handler // serves authorized requests; may be nil

	mu       sync.Mutex
	clients  map[string]string     // id to redirect
	codes    map[string]url.Values // code to the request for it
	access   map[string]string     // token to its scopes
	refresh  map[string]string     // token to its scopes
	seen     []string              // paths
	needed   string                // scope
	complain []string
}

func newStrict(t *testing.T) *strict {
	s := &strict{t: t, clients: map[string]string{}, codes: map[string]url.Values{}, access: map[string]string{}, refresh: map[string]string{}, needed: "read"}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		for _, c := range s.complain {
			t.Error(c)
		}
	})
	return s
}

// refuse rejects a request that a client must not send, and records it.
func (s *strict) refuse(w http.ResponseWriter, format string, args ...any) {
	s.complain = append(s.complain, fmt.Sprintf(format, args...))
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_request", "error_description": fmt.Sprintf(format, args...)})
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/mcp":
		s.serve(w, r)
	case "/.well-known/oauth-protected-resource/mcp":
		m := map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}, "scopes_supported": []string{"read"}}
		if s.resource != nil {
			s.resource(m)
		}
		if len(m) == 0 {
			http.NotFound(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(m)
	case "/.well-known/oauth-authorization-server":
		m := map[string]any{
			"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "registration_endpoint": s.URL + "/register",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			"scopes_supported": []string{"read", "write", "offline_access"}, "authorization_response_iss_parameter_supported": true,
			"token_endpoint_auth_methods_supported": []string{"none"},
		}
		if s.meta != nil {
			s.meta(m)
		}
		if len(m) == 0 {
			http.NotFound(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(m)
	case "/register":
		s.registration(w, r)
	case "/token":
		s.tokens(w, r)
	default:
		http.NotFound(w, r)
	}
}

// serve is the handler of the MCP server.
func (s *strict) serve(w http.ResponseWriter, r *http.Request) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	scopes, known := s.access[token]
	status := http.StatusOK
	switch {
	case !known:
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/.well-known/oauth-protected-resource/mcp"`)
	case !slices.Contains(strings.Fields(scopes), s.needed):
		status = http.StatusForbidden
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+s.needed+`"`)
	}
	if s.header != nil {
		s.header(status, w.Header())
	}
	if status == http.StatusOK && s.mcp != nil {
		s.mu.Unlock()
		defer s.mu.Lock()
		s.mcp.ServeHTTP(w, r)
		return
	}
	w.WriteHeader(status)
}

func (s *strict) registration(w http.ResponseWriter, r *http.Request) {
	if s.register != nil && s.register(w) {
		return
	}
	var m struct {
		Redirects []string `json:"redirect_uris"`
		Method    string   `json:"token_endpoint_auth_method"`
		Type      string   `json:"application_type"`
	}
	if json.NewDecoder(r.Body).Decode(&m) != nil || len(m.Redirects) != 1 || !strings.HasPrefix(m.Redirects[0], "http://127.0.0.1:") || m.Type != "native" {
		s.refuse(w, "registration of %+v", m)
		return
	}
	id := "client-" + rand.Text()
	s.clients[id] = m.Redirects[0]
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]any{"client_id": id, "redirect_uris": m.Redirects, "token_endpoint_auth_method": m.Method})
}

// authorize is the sign-in page that the user's browser opens. It returns the address to which it
// redirects the browser.
func (s *strict) authorize(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q := u.Query()
	for _, name := range []string{"client_id", "redirect_uri", "state", "code_challenge", "resource"} {
		if len(q[name]) != 1 || q.Get(name) == "" {
			return "", fmt.Errorf("the request has %d of %s", len(q[name]), name)
		}
	}
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || len(q.Get("state")) < 20 || q.Get("resource") != s.URL+"/mcp" {
		return "", fmt.Errorf("the request is %s", address)
	}
	if id := q.Get("client_id"); s.clients[id] != q.Get("redirect_uri") && !strings.HasPrefix(id, "https://") && id != "mine" {
		return "", fmt.Errorf("client %q has no redirect %q", id, q.Get("redirect_uri"))
	}
	code := rand.Text()
	s.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {s.URL}}
	if s.answer != nil {
		s.answer(back)
	}
	return q.Get("redirect_uri") + "?" + back.Encode(), nil
}

func (s *strict) tokens(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f := r.PostForm
	deny := func(code string) {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": code})
	}
	if id := f.Get("client_id"); s.forgets {
		if _, known := s.clients[id]; !known {
			deny("invalid_client")
			return
		}
	}
	var scopes string
	switch f.Get("grant_type") {
	case "authorization_code":
		q, ok := s.codes[f.Get("code")]
		delete(s.codes, f.Get("code"))
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		switch {
		case !ok:
			deny("invalid_grant")
			return
		case base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge"), f.Get("redirect_uri") != q.Get("redirect_uri"), f.Get("resource") != q.Get("resource"),
			f.Get("client_id") != q.Get("client_id") && r.Header.Get("Authorization") == "":
			s.refuse(w, "the request for a token differs from the one for the code: %v", f)
			return
		}
		scopes = q.Get("scope")
	case "refresh_token":
		var ok bool
		if scopes, ok = s.refresh[f.Get("refresh_token")]; !ok {
			deny("invalid_grant")
			return
		}
		if f.Get("resource") != s.URL+"/mcp" {
			s.refuse(w, "a refresh for %q", f.Get("resource"))
			return
		}
		delete(s.refresh, f.Get("refresh_token")) // each refresh token works once
	default:
		s.refuse(w, "grant type %q", f.Get("grant_type"))
		return
	}
	access, refresh := "access-"+rand.Text(), "refresh-"+rand.Text()
	s.access[access], s.refresh[refresh] = scopes, scopes
	m := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 3600, "scope": scopes, "refresh_token": refresh}
	if s.token != nil {
		s.token(m)
	}
	_ = json.NewEncoder(w).Encode(m)
}

// visits returns how often a path was requested.
func (s *strict) visits(path string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.seen {
		if p == path {
			n++
		}
	}
	return n
}

// A user opens addresses in a simulated browser.
type user struct {
	t      *testing.T
	strict *strict
	mu     sync.Mutex
	asked  []Request
	browse func(back string) string // changes the address to which the browser returns
	pages  []string                 // the pages that the browser showed last
}

func (u *user) open(_ context.Context, r Request) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, r)
	back, err := u.strict.authorize(r.URL)
	if err != nil {
		u.t.Error(err)
		return err
	}
	if u.browse != nil {
		back = u.browse(back)
	}
	u.visit(back)
	return nil
}

// single returns a client that opens a connection for each request. So concurrent requests cannot
// close each other's connections, and none stays open.
func single() *http.Client { return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} }

func (u *user) visit(address string) int {
	resp, err := single().Get(address)
	if err != nil {
		u.t.Error(err)
		return 0
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	u.pages = append(u.pages, string(body))
	return resp.StatusCode
}

// memory returns a keyring in memory, and its values.
func memory() (*config.Keyring, map[string]string) {
	var mu sync.Mutex
	values := make(map[string]string)
	return &config.Keyring{
		Save: func(ref, value string) error {
			mu.Lock()
			defer mu.Unlock()
			values[ref] = value
			return nil
		},
		Load: func(ref string) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			if v, ok := values[ref]; ok {
				return v, nil
			}
			return "", config.ErrNoSecret
		},
		Clear: func(ref string) error {
			mu.Lock()
			defer mu.Unlock()
			delete(values, ref)
			return nil
		},
	}, values
}

// request sends a request like the host: again after each rejection that c handles.
func request(t *testing.T, s *strict, c *Client) error {
	t.Helper()
	for n := range 6 {
		auth, err := c.Authorization(t.Context())
		if err != nil {
			return err
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/mcp", nil)
		if auth != "" {
			r.Header.Set("Authorization", auth)
		}
		resp, err := single().Do(r)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		if err := c.Rejected(t.Context(), auth, resp.StatusCode, resp.Header, n > 0); err != nil {
			return err
		}
	}
	return fmt.Errorf("the server rejects each token")
}
