// Package paging contains what every list of the desktop protocol shares: page tokens that cannot
// be forged (AIP-158), filters (AIP-160) and orders (AIP-132). It is pure logic and does not depend
// on any message of the protocol.
//
// Its errors are mistakes of the caller (INVALID_ARGUMENT).
package paging

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
)

// The number of items on a page.
const (
	DefaultSize = 100
	MaxSize     = 1000
)

// Tokens signs page tokens. A token is valid only for the list that it was made for, and only
// during the lifetime of the Tokens. Create one with [NewTokens]. It is safe for concurrent use.
type Tokens struct{ key [32]byte }

// NewTokens returns Tokens with a random key.
func NewTokens() *Tokens {
	t := &Tokens{}
	_, _ = rand.Read(t.key[:]) // never fails; see crypto/rand
	return t
}

// errToken is the error for a page token that was not made for this list.
var errToken = errors.New("the page token is not one of this list; pass next_page_token as it was returned, with the same parent, filter and order, or leave it out to begin again")

const macSize = 16

// sign returns the token for an offset into the list with this scope.
func (t *Tokens) sign(scope string, offset int) string {
	data := binary.AppendUvarint(nil, uint64(offset))
	return base64.RawURLEncoding.EncodeToString(append(data, t.mac(scope, data)...))
}

func (t *Tokens) mac(scope string, data []byte) []byte {
	h := hmac.New(sha256.New, t.key[:])
	fmt.Fprintf(h, "%d:%s", len(scope), scope)
	h.Write(data)
	return h.Sum(nil)[:macSize]
}

// read returns the offset in a token.
func (t *Tokens) read(scope, token string) (int, error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(data) <= macSize {
		return 0, errToken
	}
	data, mac := data[:len(data)-macSize], data[len(data)-macSize:]
	offset, n := binary.Uvarint(data)
	if n != len(data) || offset > 1<<31 || !hmac.Equal(mac, t.mac(scope, data)) {
		return 0, errToken
	}
	return int(offset), nil
}

// Scope identifies a list by everything that its content and order depend on, such as the method,
// the parent, the filter and the order.
func Scope(parts ...string) string { return fmt.Sprintf("%q", parts) }

// Page returns the page of a list that a request asks for, and the token of the next page, or ""
// after the last page. A size of 0 means [DefaultSize]. Sizes above [MaxSize] are reduced to it. If
// the list has become shorter than the offset in the meantime, the page is empty.
func Page[T any](t *Tokens, items []T, size int32, token, scope string) (page []T, next string, err error) {
	switch {
	case size < 0:
		return nil, "", fmt.Errorf("page_size is %d; it must be 0 (for %d) or more", size, DefaultSize)
	case size == 0:
		size = DefaultSize
	}
	offset := 0
	if token != "" {
		if offset, err = t.read(scope, token); err != nil {
			return nil, "", err
		}
	}
	offset = min(offset, len(items))
	end := min(offset+min(int(size), MaxSize), len(items))
	if end < len(items) {
		next = t.sign(scope, end)
	}
	return items[offset:end], next, nil
}
