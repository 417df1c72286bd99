package oauth

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"goated/internal/config"
)

// errClient means that the authorization server does not know the client.
var errClient = errors.New("its authorization server does not know this client")

// errNoRegistration means that goated cannot register by itself: the user has to register it.
var errNoRegistration = errors.New("its authorization server does not let goated register by itself. Create a client there with the redirect address http://127.0.0.1" + callback +
	". Then set the variable " + config.ClientID + " of this server to its id, and " + config.ClientSecret + " to its secret if it has one")

// doubt makes the next sign-in register again. The registration stays until then, because a refresh
// may still work with it.
func (c *Client) doubt(who client) {
	if g := c.reload(); g.Client.ID == who.ID {
		g.Client.Doubtful = true
		_ = c.keep(g) // fails after a sign-out, which deletes the registration anyway
	}
}

// usable reports whether a sign-in with the redirect address can use the registration again.
func (r client) usable(redirect string) bool {
	// "client_secret_expires_at: Time at which the client secret will expire or 0 if it will not
	// expire" (RFC 7591, section 3.2.1).
	expired := !r.SecretEnds.IsZero() && !time.Now().Before(r.SecretEnds)
	return r.ID != "" && r.Redirect == redirect && !r.Doubtful && !expired
}

// dynamic reports whether goated made a registration by itself, so that it can make a new one.
func (c *Client) dynamic(r client) bool {
	return r.ID != c.registration().ID && r.ID != c.authority.o.ClientDocument
}

// register finds goated's registration at the authorization server: the user's own, a client-id
// metadata document, the previous one, or a new one (RFC 7591).
func (c *Client) register(ctx context.Context, p *plan, old client, redirect string) (found client, err error) {
	defer func() { err = impossible(ctx, err) }()
	own, basic := c.registration(), !slices.Contains(p.meta.TokenEndpointAuthMethodsSupported, "client_secret_post")
	switch {
	case own.ID != "":
		return client{ID: own.ID, Secret: own.Secret, Basic: basic, Redirect: redirect}, nil
	case p.meta.ClientIDMetadataDocumentSupported && c.authority.o.ClientDocument != "":
		return client{ID: c.authority.o.ClientDocument, Redirect: redirect}, nil
	case old.usable(redirect):
		return old, nil
	case p.meta.RegistrationEndpoint == "":
		return client{}, errNoRegistration
	}
	method := "none"
	if m := p.meta.TokenEndpointAuthMethodsSupported; len(m) > 0 && !slices.Contains(m, method) {
		if method = "client_secret_basic"; slices.Contains(m, "client_secret_post") {
			method = "client_secret_post"
		}
	}
	answer, err := oauthex.RegisterClient(ctx, p.meta.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
		ClientName: "goated", RedirectURIs: []string{redirect}, TokenEndpointAuthMethod: method, ApplicationType: "native",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
	}, p.http)
	if err != nil {
		return client{}, errors.New("goated could not register at its authorization server: " + cut(plainly(err).Error()))
	}
	if given := answer.TokenEndpointAuthMethod; given != "" {
		method = given
	}
	return client{ID: answer.ClientID, Secret: answer.ClientSecret, SecretEnds: answer.ClientSecretExpiresAt, Basic: method == "client_secret_basic", Redirect: redirect}, nil
}
