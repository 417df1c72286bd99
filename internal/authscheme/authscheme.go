// Package authscheme knows the schemes that stand before a token in a header, such as "Bearer". It
// must not know where headers come from.
package authscheme

import (
	"strings"

	"goated/internal/lazyregexp"
)

// Cut returns the scheme that a value begins with, and the rest. The scheme is empty if there is none.
func Cut(value string) (scheme, rest string) {
	value = strings.TrimSpace(value)
	word, rest, _ := strings.Cut(value, " ")
	if known(word) {
		return word, strings.TrimSpace(rest)
	}
	return "", value
}

func known(word string) bool {
	return strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic") || strings.EqualFold(word, "token")
}

// standIn matches a placeholder of a token. In "token value", the first word is not a scheme.
var standIn = lazyregexp.New(`^(?:[<\[{$%*]|[A-Z][A-Z0-9_-]{2,}|your|x{3})`)

// CutStandIn is [Cut] of a text that stands for the user's own value, as in "Bearer YOUR_TOKEN".
func CutStandIn(text string) (scheme, rest string) {
	scheme, rest = Cut(text)
	if scheme == "" || !strings.EqualFold(scheme, "bearer") && !standIn.MatchString(rest) {
		return "", strings.TrimSpace(text)
	}
	return scheme, rest
}

// Join returns what a user entered for a token, behind its scheme. The user may have entered the
// scheme too, or another one. It is empty if there is no token.
func Join(scheme, entered string) string {
	own, token := Cut(entered)
	switch {
	case strings.EqualFold(own, scheme):
	case own != "" && token != "" || strings.Contains(token, " "):
		return strings.TrimSpace(entered)
	default:
		token = strings.TrimSpace(entered)
	}
	if token == "" {
		return ""
	}
	return scheme + " " + token
}
