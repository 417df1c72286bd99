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
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"goated/internal/config"
	"goated/internal/weborigin"
)

// ErrSignIn means that the server wants the user to sign in, and nobody can be asked.
var ErrSignIn = errors.New("you are not signed in")

// A Hopeless error means that no sign-in can begin, so asking for it again does not help.
type Hopeless struct{ Err error }

func (e Hopeless) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e Hopeless) Unwrap() error { return e.Err }

// SignInImpossible tells a host what the error means.
func (Hopeless) SignInImpossible() {}

// impossible marks the error of a sign-in that did not begin, unless its caller ended it.
func impossible(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return Hopeless{err}
}

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
	// Locks is a folder for locks, by which processes with one keyring refresh in turn; empty:
	// they may refresh at the same time, and a server may then end the sign-in.
	Locks string
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
	peer  func(ctx context.Context, host string) peer
	proxy func(*http.Request) (*url.URL, error) // of a request; nil: it needs none

	mu      sync.Mutex
	clients map[string]*Client
}

// New returns an authority.
func New(o Options) *Authority {
	if o.Secret == nil {
		o.Secret = func(string) {}
	}
	peerAt := func(ctx context.Context, host string) peer { return find(ctx, host, net.DefaultResolver.LookupNetIP) }
	return &Authority{o: o, peer: peerAt, proxy: http.ProxyFromEnvironment, clients: make(map[string]*Client)}
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
		c = newClient(a, server, account, name)
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

// SignOut forgets the tokens of a server, in the keyring too.
func (a *Authority) SignOut(server, account string) error {
	key := ref(server, account)
	a.mu.Lock()
	c := cmp.Or(a.clients[key], newClient(a, server, account, ""))
	delete(a.clients, key)
	a.mu.Unlock()
	return c.SignOut()
}

// canonical returns a URL as RFC 8707 names a resource: without fragment and default port, and with
// scheme and host in lower case. It has no user and no query: the resource "SHOULD NOT include a query
// component" (section 2), and a query may hold a key, which would then be in the address of the
// sign-in page. A server whose query belongs to the resource names it in its metadata.
func canonical(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host, u.Fragment, u.User = strings.ToLower(u.Scheme), weborigin.Host(u), "", nil
	u.RawQuery, u.ForceQuery = "", false
	return strings.TrimSuffix(u.String(), "/")
}

// identity returns what tells the sign-in to a server from others. A query is part of it: it may be
// "used to scope requests to an application" (RFC 8707, section 2), whose tokens are for it alone.
// So is a user, but not their password, which may change.
func identity(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return canonical(address)
	}
	return canonical(address) + "\n" + u.User.Username() + "\n" + u.RawQuery
}
