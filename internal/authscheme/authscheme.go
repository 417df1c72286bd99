// Package authscheme knows the authentication schemes that precede a token in a header, such as
// "Bearer". It must not know where headers come from.
package authscheme

import (
	"strings"

	"goated/internal/lazyregexp"
)

// Cut splits a value into its scheme and the rest. The scheme is empty if the value has none.
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

// standIn matches a placeholder for a token. In "token value", the first word is not a scheme.
var standIn = lazyregexp.New(`^(?:[<\[{$%*]|[A-Z][A-Z0-9_-]{2,}|your|x{3})`)

// CutStandIn is like [Cut] for a placeholder, for example "Bearer YOUR_TOKEN".
func CutStandIn(text string) (scheme, rest string) {
	scheme, rest = Cut(text)
	if scheme == "" || !strings.EqualFold(scheme, "bearer") && !standIn.MatchString(rest) {
		return "", strings.TrimSpace(text)
	}
	return scheme, rest
}

// Join puts scheme before the token that a user entered. If the user entered a scheme too, Join
// keeps that one. It returns "" if there is no token.
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
