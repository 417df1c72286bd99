// Package oauth signs the user in to servers with a URL: OAuth 2.1 with PKCE, as MCP's
// authorization describes it (2025-03-26 to 2026-07-28).
//
// It owns discovery (RFC 9728, RFC 8414, OpenID Connect), registration (client-id
// metadata documents, RFC 7591), the loopback redirect (RFC 8252), tokens and their
// refresh. Tokens are in the keyring and in memory, never in a file. A server, and
// what it says of its authorization server, is not trusted: [Client.Rejected] lists what
// it checks. The package must not know the host, the window or the terminal:
// [Options.Open] asks the user.
package oauth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"goated/internal/config"
)

// ErrSignIn means that the server wants the user to sign in, and nobody can be asked.
var ErrSignIn = errors.New("you are not signed in")

// errSignedOut means that the user signed out while goated got tokens.
var errSignedOut = errors.New("you signed out meanwhile")

// A Request asks the user to sign in.
type Request struct {
	Server string   // its name for the user
	URL    string   // to open in the browser; https, or http on this computer
	Host   string   // of URL: where the user types a password
	Scopes []string // that goated asks for
	// Again means that the user is signed in already, and the server wants more scopes.
	Again bool
}

// Options configure an [Authority].
type Options struct {
	// Open asks the user, and lets the browser open the address after a click, or prints
	// it. It returns when the user agreed; an error if not. It is called concurrently.
	// Nil: nobody can be asked.
	Open func(ctx context.Context, r Request) error
	// Keyring holds the tokens; nil keeps them in memory.
	Keyring *config.Keyring
	// Secret is called with each token before it is used, so that logs can hide it. It
	// may be nil.
	Secret func(value string)
	// ClientDocument is the https URL of goated's client-id metadata document; empty: it
	// has none, and registers dynamically.
	ClientDocument string
	// Transport sends all requests; nil makes one that reaches no private address on
	// behalf of a public server.
	Transport http.RoundTripper
}

// An Authority holds the sign-ins to all servers. It is safe for concurrent use.
type Authority struct {
	o     Options
	reach func(ctx context.Context, host string) reach
	proxy func(*http.Request) (*url.URL, error) // of a request; nil: it needs none

	mu      sync.Mutex
	clients map[string]*Client
}

// New returns an authority.
func New(o Options) *Authority {
	if o.Secret == nil {
		o.Secret = func(string) {}
	}
	return &Authority{o: o, reach: reachOf, proxy: http.ProxyFromEnvironment, clients: make(map[string]*Client)}
}

// A Registration is a client that the user registered by hand at the authorization
// server.
type Registration struct{ ID, Secret string }

// For returns the sign-in to the server with a URL. account tells apart several accounts
// of one server; name is for the user. The same server and account return the same Client, which
// then signs in with own.
func (a *Authority) For(server, account, name string, own Registration) *Client {
	key := ref(server, account)
	a.mu.Lock()
	c := a.clients[key]
	if c == nil {
		c = &Client{authority: a, server: server, name: name, ref: key}
		a.clients[key] = c
	}
	a.mu.Unlock()
	if own.Secret != "" {
		a.o.Secret(own.Secret)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own = own
	return c
}

// registration returns the client that the user registered by hand.
func (c *Client) registration() Registration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own
}

// SignOut forgets the tokens of a server, in the keyring too.
func (a *Authority) SignOut(server, account string) error {
	key := ref(server, account)
	a.mu.Lock()
	c := cmp.Or(a.clients[key], &Client{authority: a, ref: key})
	delete(a.clients, key)
	a.mu.Unlock()
	return c.SignOut()
}

// SignOut forgets the tokens of the server, in the keyring too. The next request asks
// the user to sign in again. An exchange for tokens that runs meanwhile keeps none.
func (c *Client) SignOut() error {
	c.saving.Lock() // so that no earlier save ends after the removal
	defer c.saving.Unlock()
	c.mu.Lock()
	c.grant, c.loaded, c.tried = grant{signOuts: c.grant.signOuts + 1}, true, nil
	c.mu.Unlock()
	if c.authority.o.Keyring == nil {
		return nil
	}
	return c.authority.o.Keyring.Clear(c.ref)
}

// A grant is what an authorization server gave: how goated is registered there, and the
// tokens. It belongs to one server and one issuer.
type grant struct {
	Issuer   string    `json:"issuer"`
	Resource string    `json:"resource"`
	Token    string    `json:"token_endpoint"`
	Client   client    `json:"client"`
	Access   string    `json:"access_token,omitempty"`
	Refresh  string    `json:"refresh_token,omitempty"`
	Expires  time.Time `json:"expires,omitzero"`
	Scopes   []string  `json:"scopes,omitempty"`

	// signOuts counts how often the user had signed out when the exchange for it began.
	signOuts int
}

// A client is goated's registration.
type client struct {
	ID       string `json:"id"`
	Secret   string `json:"secret,omitempty"`
	Basic    bool   `json:"basic,omitempty"` // the secret goes into a header
	Redirect string `json:"redirect,omitempty"`
	// SecretEnds is when the secret expires; zero: never.
	SecretEnds time.Time `json:"secret_expires_at,omitzero"`
	// Doubtful means that the server may have forgotten the registration.
	Doubtful bool `json:"doubtful,omitempty"`
}

// A Client is the sign-in to one server. It implements what a host needs to authorize
// requests, and is safe for concurrent use.
type Client struct {
	authority    *Authority
	server, name string
	ref          string

	flow   sync.Mutex // held while tokens change
	saving sync.Mutex // held while the keyring changes, which may take long; before mu

	mu     sync.Mutex
	own    Registration
	grant  grant
	loaded bool
	tried  map[string]bool // the scopes that were asked for because the server wanted more
}

// Authorization returns the value of the header: "Bearer" and the access token, which it
// refreshes in time. It is empty before the user signed in.
func (c *Client) Authorization(ctx context.Context) (string, error) {
	g := c.current()
	if g.Access == "" {
		return "", nil
	}
	if !g.Expires.IsZero() && time.Until(g.Expires) < 10*time.Second && g.Refresh != "" {
		c.flow.Lock()
		defer c.flow.Unlock()
		if c.current().Access == g.Access {
			if err := c.refresh(ctx, g); err != nil && ctx.Err() != nil {
				return "", ctx.Err()
			} // after other errors the server rejects the old token, and the user signs in again
		}
		if g = c.current(); g.Access == "" {
			return "", nil // the user signed out meanwhile
		}
	}
	return "Bearer " + g.Access, nil
}

// current returns the grant, from the keyring at first.
func (c *Client) current() grant {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.loaded {
		c.loaded = true
		if k := c.authority.o.Keyring; k != nil {
			var g grant
			if text, err := k.Load(c.ref); err == nil && json.Unmarshal([]byte(text), &g) == nil {
				c.hide(g)
				c.grant = g
			}
		}
	}
	return c.grant
}

// keep replaces the grant, unless the user signed out since it began. A keyring that does not
// take it only costs another sign-in.
func (c *Client) keep(g grant) error {
	c.hide(g)
	c.saving.Lock()
	defer c.saving.Unlock()
	if !c.replace(g) {
		return errSignedOut
	}
	if k := c.authority.o.Keyring; k != nil {
		if text, err := json.Marshal(g); err == nil {
			_ = k.Save(c.ref, string(text))
		}
	}
	return nil
}

// replace replaces the grant in memory, and reports whether the user has not signed out since it
// began.
func (c *Client) replace(g grant) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g.signOuts != c.grant.signOuts {
		return false
	}
	c.grant, c.loaded = g, true
	return true
}

func (c *Client) hide(g grant) {
	for _, secret := range []string{g.Access, g.Refresh, g.Client.Secret} {
		if secret != "" {
			c.authority.o.Secret(secret)
		}
	}
}

// SignedIn reports whether there is a token.
func (c *Client) SignedIn() bool { return c.current().Access != "" }

// canonical returns a URL as RFC 8707 names a resource: without fragment, and with scheme and
// host in lower case.
func canonical(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host, u.Fragment, u.User = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", nil
	u.RawQuery = ""
	return strings.TrimSuffix(u.String(), "/")
}
