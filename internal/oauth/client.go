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
	ref, former  string // references of the tokens in the keyring; former is empty, or that of older versions

	flow   chan bool  // holds one value while tokens change, which may take as long as a sign-in
	saving sync.Mutex // held while the keyring is read or changes, which may take long; before mu
	stored *string    // what the keyring has, as far as goated knows; nil: it has not answered; guarded by saving

	mu     sync.Mutex
	own    Registration
	grant  grant
	loaded bool            // the keyring was asked, or the grant is newer
	tried  map[string]bool // the scopes that the user gave because the server wanted more
	last   gained          // the last access tokens that goated got
}

// A gained is the last access token that each way gave this process. Other tokens come from the
// keyring, and say nothing about what helps.
type gained struct{ bySignIn, byRefresh string }

func newClient(a *Authority, server, account, name string) *Client {
	return &Client{authority: a, server: server, name: name, ref: ref(server, account), former: formerRef(server, account), flow: make(chan bool, 1)}
}

// Authorization returns the value of the header: "Bearer" and the access token, which it
// refreshes in time. It is empty before the user signed in.
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
			return "", nil // the user signed out meanwhile
		}
	}
	return "Bearer " + g.Access, nil
}

// begin waits until no other request changes the tokens.
func (c *Client) begin(ctx context.Context) (end func(), err error) {
	select {
	case c.flow <- true:
		return func() { <-c.flow }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// expires reports whether a token has to be refreshed before the next request, and can be.
func expires(g grant) bool {
	return !g.Expires.IsZero() && time.Until(g.Expires) < 10*time.Second && g.Refresh != ""
}

// current returns the grant, from the keyring at first.
func (c *Client) current() grant {
	c.mu.Lock()
	if c.loaded {
		defer c.mu.Unlock()
		return c.grant
	}
	c.mu.Unlock()
	return c.reload()
}

// reload returns the grant, after it read what another goated with this keyring changed meanwhile:
// a refresh there makes the tokens here invalid. If the keyring has what it had before, the grant
// stays, which may be newer. So it does if the keyring answers for the first time, such as one that was
// locked, after the user signed in or out. A keyring that does not answer changes nothing.
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
	g := grant{} // the user signed out there
	if text != "" && json.Unmarshal([]byte(text), &g) != nil {
		return c.grant
	}
	c.hide(g)
	g.signOuts = c.grant.signOuts
	c.grant = g
	return g
}

// keep replaces the grant, unless the user signed out since it began, here or in another goated with
// this keyring. A keyring that does not take it only costs another sign-in.
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

// SignOut forgets the tokens of the server, in the keyring too. The next request asks
// the user to sign in again. An exchange for tokens that runs meanwhile keeps none.
func (c *Client) SignOut() error {
	c.saving.Lock() // so that no earlier save ends after the removal
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

// registration returns the client that the user registered by hand.
func (c *Client) registration() Registration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own
}
