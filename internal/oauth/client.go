package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

// errSignedOut means that the user signed out while goated got tokens.
var errSignedOut = errors.New("you signed out meanwhile")

// A grant contains what an authorization server gave to goated: its registration there, and the
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

	// signOuts is the number of times that the user had signed out when the exchange for this grant
	// began.
	signOuts int
}

// A client is goated's registration.
type client struct {
	ID       string `json:"id"`
	Secret   string `json:"secret,omitempty"`
	Basic    bool   `json:"basic,omitempty"` // the secret is sent in a header
	Redirect string `json:"redirect,omitempty"`
	// SecretEnds is the time when the secret expires; zero: never.
	SecretEnds time.Time `json:"secret_expires_at,omitzero"`
	// Doubtful means that the server may have forgotten the registration.
	Doubtful bool `json:"doubtful,omitempty"`
}

// A Client is the sign-in to one server. A host uses it to authorize requests. It is safe for
// concurrent use.
type Client struct {
	authority    *Authority
	server, name string
	ref, former  string // names of the tokens in the keyring; former is the name that older versions used, or empty

	flow   chan bool  // holds one value while tokens change, which can take as long as a sign-in
	saving sync.Mutex // held while the keyring is read or written, which can be slow; locked before mu
	stored *string    // the last known value in the keyring; nil: it has not answered; guarded by saving

	mu     sync.Mutex
	own    Registration
	grant  grant
	loaded bool            // the keyring was read, or the grant is newer than its value
	tried  map[string]bool // the sets of scopes that the user granted because the server asked for more
	last   gained          // the latest access tokens that goated got
}

// A gained contains the latest access token that this process got in each way. Tokens from the
// keyring are not recorded: they do not show whether a refresh or a sign-in helps.
type gained struct{ bySignIn, byRefresh string }

func newClient(a *Authority, server, account, name string) *Client {
	return &Client{authority: a, server: server, name: name, ref: ref(server, account), former: formerRef(server, account), flow: make(chan bool, 1)}
}

// Authorization returns the value of the Authorization header: "Bearer" and the access token. It
// refreshes the token shortly before it expires. The value is empty until the user has signed in.
func (c *Client) Authorization(ctx context.Context) (string, error) {
	g := c.current()
	if g.Access == "" {
		return "", nil
	}
	if expires(g) {
		end, err := c.begin(ctx)
		if err != nil {
			return "", err
		}
		defer end()
		if g = c.current(); expires(g) {
			if g = c.reload(); expires(g) {
				if err := c.renew(ctx, g); err != nil && ctx.Err() != nil {
					return "", ctx.Err()
				} // after other errors the server rejects the old token, and the user signs in again
			}
		}
		if g = c.current(); g.Access == "" {
			return "", nil // the user signed out in the meantime
		}
	}
	return "Bearer " + g.Access, nil
}

// begin waits until no other request is changing the tokens. The caller must call end.
func (c *Client) begin(ctx context.Context) (end func(), err error) {
	select {
	case c.flow <- true:
		return func() { <-c.flow }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// expires reports whether a token must be refreshed before the next request, and has a refresh
// token.
func expires(g grant) bool {
	return !g.Expires.IsZero() && time.Until(g.Expires) < 10*time.Second && g.Refresh != ""
}

// current returns the grant. The first call reads it from the keyring.
func (c *Client) current() grant {
	c.mu.Lock()
	if c.loaded {
		defer c.mu.Unlock()
		return c.grant
	}
	c.mu.Unlock()
	return c.reload()
}

// reload reads the keyring again and returns the grant. Another goated process with this keyring
// may have refreshed the tokens, which makes the tokens of this process invalid. If the keyring's
// value has not changed since the last read, the grant in memory stays, because it may be newer. It
// also stays if a locked keyring answers for the first time after the user has signed in or out. If
// the keyring does not answer, nothing changes.
func (c *Client) reload() grant {
	c.saving.Lock()
	defer c.saving.Unlock()
	was := c.stored
	text, answered := c.load()
	if answered {
		c.stored = &text
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded = true
	older := was == nil && (c.grant.Access != "" || c.grant.signOuts > 0)
	if !answered || older || was != nil && *was == text {
		return c.grant
	}
	g := grant{} // empty if the user signed out in the other process
	if text != "" && json.Unmarshal([]byte(text), &g) != nil {
		return c.grant
	}
	c.hide(g)
	g.signOuts = c.grant.signOuts
	c.grant = g
	return g
}

// keep replaces the grant, unless the user has signed out since the exchange began, in this process
// or in another one with this keyring. If the keyring cannot store the grant, the user only has to
// sign in again later.
func (c *Client) keep(g grant) error {
	c.hide(g)
	c.saving.Lock()
	defer c.saving.Unlock()
	text, answered := c.load()
	if answered && text == "" && c.stored != nil && *c.stored != "" {
		c.stored = &text
		c.replace(grant{signOuts: g.signOuts})
		return errSignedOut
	}
	if !c.replace(g) {
		return errSignedOut
	}
	if text, err := json.Marshal(g); err == nil && c.save(string(text)) {
		c.stored = new(string(text))
	}
	return nil
}

// replace replaces the grant in memory. It does nothing and returns false if the user has signed
// out since the exchange began.
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

// SignedIn reports whether there is an access token.
func (c *Client) SignedIn() bool { return c.current().Access != "" }

// SignOut deletes the tokens of the server, also in the keyring. The next request asks the user to
// sign in again. If an exchange for tokens is running, its result is dropped.
func (c *Client) SignOut() error {
	c.saving.Lock() // so that no earlier save finishes after the removal
	defer c.saving.Unlock()
	c.mu.Lock()
	c.grant, c.loaded, c.tried = grant{signOuts: c.grant.signOuts + 1}, true, nil
	c.mu.Unlock()
	err := c.clear()
	if err == nil {
		c.stored = new("")
	}
	return err
}

// registration returns the client that the user registered manually.
func (c *Client) registration() Registration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own
}
