package oauth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"goated/internal/weborigin"
)

// maxMetadata limits the size of a metadata document, in bytes.
const maxMetadata = 1 << 20

// A plan describes how to sign in, from the metadata of the servers.
type plan struct {
	reach    reach
	http     *http.Client
	resource string // the resource that tokens are for
	meta     *oauthex.AuthServerMeta
	scopes   []string // the scopes of the resource; may be empty
}

// A challenge contains the parts of a WWW-Authenticate header that goated understands.
type challenge struct {
	metadata string
	scopes   []string
	problem  string
}

// challengeOf reads the Bearer challenge of a rejection. It returns an empty challenge if the
// header cannot be parsed.
func challengeOf(h http.Header) (c challenge) {
	all, err := oauthex.ParseWWWAuthenticate(h.Values("WWW-Authenticate"))
	if err != nil {
		return c
	}
	for _, one := range all {
		if one.Scheme != "bearer" {
			continue
		}
		c.problem = one.Params["error"]
		c.metadata = one.Params["resource_metadata"]
		c.scopes = strings.Fields(one.Params["scope"])
	}
	return c
}

// discover finds the authorization server of the MCP server by RFC 9728 and RFC 8414. If the MCP
// server has no metadata, it uses the rules of MCP 2025-03-26.
func (c *Client) discover(ctx context.Context, ch challenge) (found *plan, err error) {
	defer func() { err = impossible(ctx, err) }()
	server, err := url.Parse(c.server)
	if err != nil {
		return nil, errors.New("the server's address is invalid")
	}
	at := c.authority.peer(ctx, server.Hostname())
	p := &plan{reach: at.reach, http: c.authority.httpClient(at), resource: canonical(c.server)}
	if server.Scheme != "https" && p.reach != local {
		return nil, errors.New("it does not use https, so others on the network could read your sign-in")
	}
	resource, failed, err := c.protected(ctx, p, server, ch.metadata)
	if err != nil {
		return nil, err
	}
	issuer := weborigin.Of(server)
	if resource != nil {
		p.resource, p.scopes = resource.Resource, resource.ScopesSupported
		if issuer = resource.AuthorizationServers[0]; slices.Contains(resource.AuthorizationServers, c.current().Issuer) {
			issuer = c.current().Issuer
		}
	}
	if _, err := secure("authorization server", issuer, p.reach); err != nil {
		return nil, err
	}
	failed = cmp.Or(failed, p.describe(ctx, issuer))
	switch {
	case p.meta != nil:
		return p, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case resource != nil && failed == nil:
		return nil, fmt.Errorf("its authorization server %s does not describe itself", issuer)
	case failed != nil:
		return nil, failed
	}
	p.meta = &oauthex.AuthServerMeta{ // MCP 2025-03-26, Fallbacks for Servers without Metadata Discovery
		Issuer: issuer, AuthorizationEndpoint: issuer + "/authorize", TokenEndpoint: issuer + "/token", RegistrationEndpoint: issuer + "/register",
		CodeChallengeMethodsSupported: []string{"S256"},
	}
	return p, p.check()
}

// describe finds the metadata of an authorization server (RFC 8414, OpenID Connect Discovery).
// goated guesses the addresses of the metadata. So if one of them has something else, such as the
// page of an app, describe tries the next one. failed is the reason why the first existing document
// cannot be used, or nil if none exists.
func (p *plan) describe(ctx context.Context, issuer string) (failed error) {
	u, err := url.Parse(issuer)
	if err != nil {
		return errors.New("its authorization server is not an address")
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	candidates := []string{weborigin.Of(u) + "/.well-known/oauth-authorization-server" + path, weborigin.Of(u) + "/.well-known/openid-configuration" + path}
	if path != "" {
		candidates = append(candidates, weborigin.Of(u)+path+"/.well-known/openid-configuration")
	}
	for _, address := range candidates {
		m, err := fetch[oauthex.AuthServerMeta](ctx, p.http, address)
		if err == nil && strings.TrimSuffix(m.Issuer, "/") != strings.TrimSuffix(issuer, "/") {
			err = fmt.Errorf("its issuer %s does not match %s", cut(m.Issuer), issuer)
		}
		if err == nil {
			p.meta = m
			if err = p.check(); err == nil {
				return nil
			}
			p.meta = nil
			failed = cmp.Or(failed, err)
			continue
		}
		if !errors.Is(err, errAbsent) {
			failed = cmp.Or(failed, fmt.Errorf("reading about its authorization server: %w", err))
		}
	}
	return failed
}

// check verifies that the authorization server has what goated needs.
func (p *plan) check() error {
	m := p.meta
	if !slices.Contains(m.CodeChallengeMethodsSupported, "S256") {
		return errors.New("its authorization server does not support PKCE with S256, without which a sign-in can be stolen")
	}
	if len(m.ResponseTypesSupported) > 0 && !slices.Contains(m.ResponseTypesSupported, "code") {
		return errors.New("its authorization server does not support authorization codes")
	}
	at, err := secure("sign-in page", m.AuthorizationEndpoint, p.reach)
	if err != nil {
		return err
	}
	for name := range at.Query() {
		if slices.Contains(reserved, name) {
			return fmt.Errorf("its sign-in page sets %q by itself", name)
		}
	}
	if _, err := secure("token endpoint", m.TokenEndpoint, p.reach); err != nil {
		return err
	}
	if m.RegistrationEndpoint != "" {
		_, err = secure("registration endpoint", m.RegistrationEndpoint, p.reach)
	}
	return err
}

// reserved lists the parameters that goated sets itself.
var reserved = []string{"client_id", "redirect_uri", "response_type", "response_mode", "state", "code_challenge", "code_challenge_method", "resource", "scope", "request", "request_uri"}

// protected reads the metadata of the protected resource (RFC 9728). It tries the address in the
// challenge, then the server's path, then the root, and returns nil if none has metadata. Only the
// address in the challenge comes from the server, and goated guesses the others. failed is the
// reason why the first existing document of these cannot be used.
func (c *Client) protected(ctx context.Context, p *plan, server *url.URL, named string) (m *oauthex.ProtectedResourceMetadata, failed, err error) {
	path := strings.TrimSuffix(server.EscapedPath(), "/")
	candidates := []string{named, weborigin.Of(server) + "/.well-known/oauth-protected-resource" + path}
	if path != "" {
		candidates = append(candidates, weborigin.Of(server)+"/.well-known/oauth-protected-resource")
	}
	for i, address := range candidates {
		if address == "" {
			continue
		}
		if _, err := secure("metadata", address, p.reach); err != nil {
			return nil, nil, err
		}
		m, err := fetch[oauthex.ProtectedResourceMetadata](ctx, p.http, address)
		if err == nil && m.Resource == "" {
			err = errForm
		}
		switch {
		case err != nil && (i == 0 || ctx.Err() != nil):
			return nil, nil, fmt.Errorf("reading how to sign in: %w", err)
		case errors.Is(err, errAbsent):
			continue
		case err != nil:
			failed = cmp.Or(failed, fmt.Errorf("reading how to sign in: %w", err))
			continue
		}
		if !covers(m.Resource, c.server) {
			return nil, nil, fmt.Errorf("it asks you to sign in to another server, %s", cut(m.Resource))
		}
		if len(m.AuthorizationServers) == 0 {
			return nil, nil, errors.New("it names no authorization server")
		}
		return m, nil, nil
	}
	return nil, failed, nil
}

// covers reports whether a resource is the server or contains it: it has the same origin, the
// server's path or a parent of it, and the server's query or none. Without this check, a server
// could get a token for another one.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	s, bad := url.Parse(server)
	if err != nil || bad != nil || r.Fragment != "" || r.User != nil || !weborigin.Same(r, s) || r.RawQuery != "" && r.RawQuery != s.RawQuery {
		return false
	}
	path := strings.TrimSuffix(s.EscapedPath(), "/")
	folder := strings.TrimSuffix(r.EscapedPath(), "/")
	return folder == path || strings.HasPrefix(path+"/", folder+"/")
}

// errAbsent means that a document does not exist.
var errAbsent = errors.New("there is no such document")

// errForm means that an address has something else than the document, for example the page of an
// app that answers every address.
var errForm = errors.New("the document is not JSON of the right form")

// fetch reads and decodes a JSON document.
func fetch[T any](ctx context.Context, c *http.Client, address string) (*T, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("the address is invalid")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	resp, err := c.Do(r)
	if err != nil {
		return nil, plainly(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 && resp.StatusCode < 500 {
		return nil, errAbsent
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxMetadata+1))
	switch {
	case err != nil:
		return nil, plainly(err)
	case len(body) > maxMetadata:
		return nil, errors.New("the document is too long")
	}
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		return nil, errForm
	}
	return &v, nil
}

// plainly returns an error of an HTTP request without its URL, because the URL may contain secrets.
func plainly(err error) error {
	for _, known := range []error{errPrivate, errRedirect, context.Canceled} {
		if errors.Is(err, known) {
			return known
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
