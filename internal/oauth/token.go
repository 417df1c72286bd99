package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"goated/internal/ansi"
	"goated/internal/truncate"
)

// maxToken limits the size of a token response, in bytes.
const maxToken = 256 << 10

// renew gets a new access token with the refresh token, or takes the one that another goated
// process got. Most servers accept a refresh token only once, and some end the sign-in if they see
// it twice.
func (c *Client) renew(ctx context.Context, g grant) error {
	defer c.alone(ctx)()
	switch now := c.reload(); {
	case now.Access != "" && now.Access != g.Access:
		return nil
	case now.Access == "" && g.Access != "":
		return errSignedOut
	}
	err := c.refresh(ctx, g)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.last.byRefresh = c.grant.Access
		return nil
	}
	if ctx.Err() != nil || errors.Is(err, errSignedOut) {
		return err
	}
	if now := c.reload(); now.Access == "" || now.Access == g.Access {
		return err
	}
	return nil
}

// refresh gets a new access token with the refresh token.
func (c *Client) refresh(ctx context.Context, g grant) error {
	server, err := url.Parse(c.server)
	if err != nil {
		return err
	}
	p := c.authority.peer(ctx, server.Hostname())
	if _, err := secure("token endpoint", g.Token, p.reach); err != nil {
		return err
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.Refresh}, "resource": {g.Resource}}
	return c.exchange(ctx, c.authority.httpClient(p), g, form)
}

// exchange gets tokens from the token endpoint. It keeps them unless the user has signed out since
// g was read.
func (c *Client) exchange(ctx context.Context, by *http.Client, g grant, form url.Values) error {
	if !g.Client.Basic || g.Client.Secret == "" {
		form.Set("client_id", g.Client.ID)
		if g.Client.Secret != "" {
			form.Set("client_secret", g.Client.Secret)
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.Token, strings.NewReader(form.Encode()))
	if err != nil {
		return errors.New("the token endpoint is not an address")
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	if g.Client.Basic && g.Client.Secret != "" {
		r.SetBasicAuth(url.QueryEscape(g.Client.ID), url.QueryEscape(g.Client.Secret))
	}
	resp, err := by.Do(r)
	if err != nil {
		return fmt.Errorf("getting a token: %w", plainly(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxToken+1))
	if err != nil || len(body) > maxToken {
		return errors.New("getting a token: the answer is cut off or too long")
	}
	var answer struct {
		Access      string      `json:"access_token"`
		Type        string      `json:"token_type"`
		Refresh     string      `json:"refresh_token"`
		Expires     json.Number `json:"expires_in"`
		Scope       string      `json:"scope"`
		Error       string      `json:"error"`
		Description string      `json:"error_description"`
	}
	err = json.Unmarshal(body, &answer)
	switch {
	case answer.Error == "invalid_client": // "Client authentication failed (e.g., unknown client" (RFC 6749, section 5.2)
		c.doubt(g.Client)
		return fmt.Errorf("getting a token: %w: %s", errClient, cut(strings.TrimSpace(answer.Error+" "+answer.Description)))
	case answer.Error != "":
		return errors.New("getting a token: " + cut(strings.TrimSpace(answer.Error+" "+answer.Description)))
	case err != nil || resp.StatusCode != http.StatusOK:
		return fmt.Errorf("getting a token: HTTP %d", resp.StatusCode)
	case !isToken(answer.Access):
		return errors.New("getting a token: the answer has none that can be sent")
	case !strings.EqualFold(answer.Type, "bearer"):
		return errors.New("getting a token: it is not a bearer token")
	}
	g.Access, g.Expires = answer.Access, time.Time{}
	if answer.Refresh != "" {
		g.Refresh = answer.Refresh // public clients get a new refresh token each time (OAuth 2.1, section 4.3)
	}
	if s, err := answer.Expires.Float64(); err == nil && s > 0 && s < 1e9 {
		g.Expires = time.Now().Add(time.Duration(s * float64(time.Second)))
	}
	if answer.Scope != "" {
		g.Scopes = strings.Fields(answer.Scope)
	}
	return c.keep(g)
}

// isToken reports whether a token can be sent in a header (RFC 6750, section 2.1).
func isToken(text string) bool {
	for _, b := range []byte(text) {
		if b <= 0x20 || b >= 0x7f {
			return false
		}
	}
	return text != "" && len(text) < 64<<10
}

// cut returns a text from a server in a form that can be shown: short, on one line, and without
// control sequences.
func cut(text string) string {
	return truncate.Runes(strings.Join(strings.Fields(ansi.Strip(strings.ToValidUTF8(text, ""))), " "), 200)
}
