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
	ref          string

	flow   sync.Mutex // held while tokens change
	saving sync.Mutex // held while the keyring changes, which may take long; before mu

	mu     sync.Mutex
	own    Registration
	grant  grant
	loaded bool
	tried  map[string]bool // the scopes that the user gave because the server wanted more
	fresh  string          // the access token of the last sign-in
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

// registration returns the client that the user registered by hand.
func (c *Client) registration() Registration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own
}
