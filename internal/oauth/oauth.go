// Package oauth signs the user in to servers with a URL. It uses OAuth 2.1 with PKCE, as the
// authorization chapter of MCP describes it (2025-03-26 to 2026-07-28).
//
// It owns discovery (RFC 9728, RFC 8414, OpenID Connect), registration (client-id metadata
// documents, RFC 7591), the loopback redirect (RFC 8252), the tokens and their refresh. Tokens are
// in the keyring and in memory, never in a file. The package does not trust a server, nor the
// server's description of its authorization server: [Client.Rejected] lists the checks. It must not
// know the host, the window or the terminal: [Options.Open] asks the user.
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

// ErrSignIn means that the server requires a sign-in, but there is nobody to ask.
var ErrSignIn = errors.New("you are not signed in")

// An ImpossibleError means that a sign-in cannot even begin, so asking the user again does not help.
type ImpossibleError struct{ Err error }

func (e ImpossibleError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e ImpossibleError) Unwrap() error { return e.Err }

// SignInImpossible marks the error for a host, which looks for this method.
func (ImpossibleError) SignInImpossible() {}

// impossible marks the error of a sign-in that could not begin. It does not mark an error that the
// caller caused by ending ctx.
func impossible(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return ImpossibleError{err}
}

// A Request asks the user to sign in.
type Request struct {
	Server string   // the server's name for the user
	URL    string   // to open in the browser; https, or http on this computer
	Host   string   // the host of URL, where the user types a password
	Scopes []string // the scopes that goated requests
	// Again means that the user is already signed in, and the server wants more scopes.
	Again bool
}

// Options configure an [Authority].
type Options struct {
	// Open asks the user to sign in. It opens the URL in the browser after a click, or prints it.
	// It returns nil once the user has agreed, and otherwise an error. It is called concurrently.
	// Nil means that there is nobody to ask.
	Open func(ctx context.Context, r Request) error
	// Keyring stores the tokens; nil keeps them only in memory.
	Keyring *config.Keyring
	// Locks is a folder for lock files, with which processes that share a keyring refresh one at a
	// time. If it is empty, they may refresh at the same time, and a server may then end the
	// sign-in.
	Locks string
	// Secret is called with each token before its first use, so that logs can hide it. It may be
	// nil.
	Secret func(value string)
	// ClientDocument is the https URL of goated's client-id metadata document. If it is empty,
	// goated registers dynamically.
	ClientDocument string
	// Transport sends all requests. Nil creates a transport that does not connect to private
	// addresses that a public server gives.
	Transport http.RoundTripper
}

// An Authority holds the sign-ins to all servers. It is safe for concurrent use.
type Authority struct {
	o     Options
	peer  func(ctx context.Context, host string) peer
	proxy func(*http.Request) (*url.URL, error) // returns the proxy of a request; nil: none

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

// A Registration is a client that the user registered manually at the authorization server.
type Registration struct{ ID, Secret string }

// For returns the sign-in to the server with a URL. account distinguishes several accounts at one
// server, and name is for the user. The same server and account always return the same Client,
// which uses own from then on.
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

// SignOut deletes the tokens of a server, also in the keyring.
func (a *Authority) SignOut(server, account string) error {
	key := ref(server, account)
	a.mu.Lock()
	c := cmp.Or(a.clients[key], newClient(a, server, account, ""))
	delete(a.clients, key)
	a.mu.Unlock()
	return c.SignOut()
}

// canonical returns a URL in the form in which RFC 8707 names a resource: without fragment and
// default port, and with scheme and host in lower case. It drops the user and the query: the
// resource "SHOULD NOT include a query component" (section 2). A query may also contain a key,
// which would become part of the sign-in page's address. If the query belongs to the resource, the
// server's metadata contains it.
func canonical(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host, u.Fragment, u.User = strings.ToLower(u.Scheme), weborigin.Host(u), "", nil
	u.RawQuery, u.ForceQuery = "", false
	return strings.TrimSuffix(u.String(), "/")
}

// identity returns the text that distinguishes the sign-in to one server from others. It includes
// the query, which may be "used to scope requests to an application" (RFC 8707, section 2): the
// tokens are then only for that application. It includes the user, but not the password, which may
// change.
func identity(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return canonical(address)
	}
	return canonical(address) + "\n" + u.User.Username() + "\n" + u.RawQuery
}
