package oauth

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"goated/internal/config"
	"goated/internal/weborigin"
)

// ref returns the name under which the keyring has a server's tokens.
func ref(server, account string) string { return refOf(identity(server), account) }

func refOf(identity, account string) string {
	sum := sha256.Sum256([]byte(identity + "\n" + account))
	return fmt.Sprintf("oauth-%x", sum[:16])
}

// formerRef returns the name that earlier versions used for the tokens of a server. That name
// contained the default port. It returns "" if the name has not changed.
func formerRef(server, account string) string {
	u, err := url.Parse(server)
	if err != nil {
		return ""
	}
	old, now := strings.ToLower(u.Scheme+"://"+u.Host), weborigin.Of(u)
	if old == now {
		return ""
	}
	return refOf(old+strings.TrimPrefix(identity(server), now), account)
}

// load returns the keyring's value for the server, or "" if it has none. answered is false if the
// keyring does not answer. The caller of load, save and clear holds saving.
func (c *Client) load() (text string, answered bool) {
	k := c.authority.o.Keyring
	if k == nil {
		return "", false
	}
	text, err := k.Load(c.ref)
	if errors.Is(err, config.ErrNoSecret) && c.former != "" {
		text, err = k.Load(c.former)
	}
	return text, err == nil || errors.Is(err, config.ErrNoSecret)
}

// save stores a text in the keyring, and reports whether that worked.
func (c *Client) save(text string) bool {
	k := c.authority.o.Keyring
	if k == nil || k.Save(c.ref, text) != nil {
		return false
	}
	if c.former != "" {
		_ = k.Clear(c.former) // nothing reads this name any more
	}
	return true
}

func (c *Client) clear() error {
	k := c.authority.o.Keyring
	if k == nil {
		return nil
	}
	err := k.Clear(c.ref)
	if c.former != "" {
		err = errors.Join(err, k.Clear(c.former))
	}
	return err
}
