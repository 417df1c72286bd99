package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"crypto/rand"

	"golang.org/x/oauth2"
)

// errRefused means that the server rejects the token of a new sign-in.
var errRefused = errors.New("you signed in, but it does not accept the token of this sign-in")

// maxScopes limits the number of scopes that goated requests.
const maxScopes = 100

// Rejected handles the status 401 or 403 of a request that was sent with the given authorization.
// It refreshes the token, or asks the user to sign in or to allow more scopes. If it returns nil,
// the caller can send the request again.
//
// repeated means that the request was already sent again after an earlier rejection. If the token
// came from a refresh, the refresh did not help, and Rejected asks the user. If the token came from
// a sign-in, asking again would not help either, and Rejected fails.
//
// Rejected trusts neither server. The resource of a token must contain the MCP server. All
// addresses must be https and, for a public server, public. The issuer in the metadata must be the
// issuer that goated looked up. The authorization server must support S256. The answer must have
// the state and, if it names an issuer, the right one (RFC 9207). A registration belongs to one
// issuer.
func (c *Client) Rejected(ctx context.Context, sent string, status int, header http.Header, repeated bool) error {
	end, err := c.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	g, newer := c.latest(sent)
	if newer {
		return nil
	}
	ch := challengeOf(header)
	again := status == http.StatusForbidden
	switch {
	case again && ch.problem != "insufficient_scope":
		return errors.New("your account may not do this")
	case again && !c.helps(ch.scopes):
		return errors.New("the server wants permissions that you have given already: " + cut(strings.Join(ch.scopes, " ")))
	case !again && repeated && g.Access != "" && g.Access == c.gained().bySignIn:
		return errRefused
	case !again && g.Refresh != "" && sent != "" && !(repeated && g.Access == c.gained().byRefresh):
		if err := c.renew(ctx, g); err == nil {
			return nil
		} else if ctx.Err() != nil {
			return ctx.Err()
		} else if errors.Is(err, errSignedOut) {
			return err
		}
	}
	p, err := c.discover(ctx, ch)
	if err != nil {
		return err
	}
	if err := c.signIn(ctx, p, ch.scopes, again); err != nil {
		return err // there is no token, so the next request asks the user again
	}
	c.gave(g, ch.scopes, again)
	return nil
}

// RejectedInBackground handles the status 401 of a request for which nobody waits. It uses a newer
// token or refreshes the sent one, and never asks the user.
func (c *Client) RejectedInBackground(ctx context.Context, sent string) error {
	end, err := c.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	switch g, newer := c.latest(sent); {
	case newer:
		return nil
	case g.Refresh == "" || sent == "":
		return ErrSignIn
	default:
		return c.renew(ctx, g)
	}
}

// latest returns the grant, and whether its token is newer than the one sent. Another request or
// another goated process may have got it in the meantime. The caller has called begin.
func (c *Client) latest(sent string) (g grant, newer bool) {
	_, token, _ := strings.Cut(sent, " ")
	for _, get := range []func() grant{c.current, c.reload} {
		if g = get(); g.Access != "" && g.Access != token {
			return g, true
		}
	}
	return g, false
}

func (c *Client) gained() gained {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// helps reports whether it can help to ask for the scopes that the server wants. It cannot if the
// user has already granted the same set.
func (c *Client) helps(scopes []string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(scopes) > 0 && !c.tried[setOf(scopes)]
}

// gave records the token of a sign-in that replaces old, and the scopes that the server wanted. A
// new sign-in starts without the scopes that were added to the previous one.
func (c *Client) gave(old grant, scopes []string, again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.grant.signOuts != old.signOuts {
		return // the user signed out in the meantime
	}
	c.last.bySignIn = c.grant.Access
	if !again || c.tried == nil {
		c.tried = make(map[string]bool)
	}
	if again {
		c.tried[setOf(scopes)] = true
	}
}

// setOf returns the scopes, sorted, as a map key.
func setOf(scopes []string) string {
	return strings.Join(slices.Sorted(slices.Values(scopes)), " ")
}

// signIn runs the authorization code flow.
func (c *Client) signIn(ctx context.Context, p *plan, wanted []string, again bool) error {
	if c.authority.o.Open == nil {
		return ErrSignIn
	}
	old := c.current()
	if old.Issuer != p.meta.Issuer {
		old = grant{signOuts: old.signOuts} // a registration and its tokens belong to one issuer
	}
	browser, err := listen(old.Client.Redirect)
	if err != nil {
		return err
	}
	defer browser.close()
	who, err := c.register(ctx, p, old.Client, browser.redirect)
	if err != nil {
		return err
	}
	reused := who == old.Client && c.dynamic(who)
	scopes := wanted
	if len(scopes) == 0 {
		scopes = p.scopes
	}
	if again {
		scopes = union(old.Scopes, scopes)
	}
	// "omitting the `scope` parameter if `scopes_supported` is undefined" (MCP 2025-11-25, Scope
	// Selection Strategy): offline_access alone would be a token without permissions.
	if len(scopes) > 0 && slices.Contains(p.meta.ScopesSupported, "offline_access") {
		scopes = union(scopes, []string{"offline_access"})
	}
	scopes = scopes[:min(len(scopes), maxScopes)]
	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	page, _ := url.Parse(p.meta.AuthorizationEndpoint)
	q := page.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": who.ID, "redirect_uri": browser.redirect, "state": state, "resource": p.resource,
		"code_challenge": oauth2.S256ChallengeFromVerifier(verifier), "code_challenge_method": "S256",
	} {
		q.Set(name, value)
	}
	if len(scopes) > 0 {
		q.Set("scope", strings.Join(scopes, " "))
	}
	page.RawQuery, page.Fragment = q.Encode(), ""
	browser.expect(state, p.meta.Issuer, p.meta.AuthorizationResponseIssParameterSupported)
	if err := c.authority.o.Open(ctx, Request{Server: c.name, URL: page.String(), Host: page.Host, Scopes: scopes, Again: again}); err != nil {
		return fmt.Errorf("you did not sign in: %w", err)
	}
	code, err := browser.wait(ctx)
	if err != nil {
		if reused {
			// A server that forgot the client "MUST NOT automatically redirect the user-agent to the
			// invalid redirection URI" (RFC 6749, section 4.1.2.1): the browser does not come back.
			c.doubt(who)
		}
		return err
	}
	g := grant{Issuer: p.meta.Issuer, Resource: p.resource, Token: p.meta.TokenEndpoint, Client: who, Scopes: scopes, signOuts: old.signOuts}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {browser.redirect}, "code_verifier": {verifier}, "resource": {p.resource}}
	err = c.exchange(ctx, p.http, g, form)
	if reused && errors.Is(err, errClient) {
		return c.signIn(ctx, p, wanted, again) // this registers again, so it happens only once
	}
	return err
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
