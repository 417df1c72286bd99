package oauth

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// register finds goated's registration at the authorization server: the user's own, a
// client-id metadata document, the one of before, or a new one (RFC 7591).
func (c *Client) register(ctx context.Context, p *plan, old client, redirect string) (client, error) {
	basic := !slices.Contains(p.meta.TokenEndpointAuthMethodsSupported, "client_secret_post")
	switch {
	case c.own.ID != "":
		return client{ID: c.own.ID, Secret: c.own.Secret, Basic: basic, Redirect: redirect}, nil
	case p.meta.ClientIDMetadataDocumentSupported && c.authority.o.ClientDocument != "":
		return client{ID: c.authority.o.ClientDocument, Redirect: redirect}, nil
	case old.ID != "" && old.Redirect == redirect:
		return old, nil
	case p.meta.RegistrationEndpoint == "":
		return client{}, errors.New("its authorization server does not let goated register by itself: create a client there, and enter its id in the settings of the server")
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
	return client{ID: answer.ClientID, Secret: answer.ClientSecret, Basic: method == "client_secret_basic", Redirect: redirect}, nil
}
