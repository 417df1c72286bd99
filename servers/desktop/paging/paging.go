// Package paging holds what every list of the desktop's protocol shares: page tokens that
// cannot be forged (AIP-158), filters (AIP-160) and orders (AIP-132). It is pure logic, and
// knows no message of the protocol.
//
// Its errors are the caller's faults (INVALID_ARGUMENT).
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

// The sizes of a page.
const (
	DefaultSize = 100
	MaxSize     = 1000
)

// Tokens sign page tokens. A token holds for the list it was made for, as long as the
// Tokens live. Make one with [NewTokens]. It is safe for concurrent use.
type Tokens struct{ key [32]byte }

// NewTokens returns Tokens with a random key.
func NewTokens() *Tokens {
	t := &Tokens{}
	_, _ = rand.Read(t.key[:]) // never fails (crypto/rand)
	return t
}

// errToken says that a page token was not made for this list.
var errToken = errors.New("the page token is not one of this list; pass next_page_token as it was returned, with the same parent, filter and order, or leave it out to begin again")

const macSize = 16

// sign returns the token of an offset into the list that scope names.
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

// read returns the offset of a token.
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

// Scope names a list by everything that its content and order depend on: the method, the
// parent, the filter, the order.
func Scope(parts ...string) string { return fmt.Sprintf("%q", parts) }

// Page returns the page of a list that a request asks for, and the token of the next one;
// "" at the end. A size of 0 is [DefaultSize]; larger ones than [MaxSize] are cut to it. A
// list that became shorter meanwhile ends.
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
