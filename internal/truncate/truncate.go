// Package truncate shortens a text for people and models.
//
// It has no state and must not know what the text is.
package truncate

import "strings"

const ellipsis = "…"

// Bytes returns text, or its beginning with an ellipsis at the end: at most n bytes, which
// cut no character in two.
func Bytes(text string, n int) string {
	switch {
	case len(text) <= n:
		return text
	case n < len(ellipsis):
		return ""
	}
	return strings.ToValidUTF8(text[:n-len(ellipsis)], "") + ellipsis
}

// Runes is [Bytes] with a limit of n characters.
func Runes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	r := []rune(text)
	switch {
	case len(r) <= n:
		return text
	case n < 1:
		return ""
	}
	return string(r[:n-1]) + ellipsis
}
