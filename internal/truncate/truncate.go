// Package truncate shortens a text for people and models.
//
// It has no state and must not know the meaning of the text.
package truncate

import "strings"

const ellipsis = "…"

// Bytes returns text, or the beginning of text with an ellipsis. The result has at most n bytes,
// and no character is cut in half.
func Bytes(text string, n int) string {
	switch {
	case len(text) <= n:
		return text
	case n < len(ellipsis):
		return ""
	}
	return strings.ToValidUTF8(text[:n-len(ellipsis)], "") + ellipsis
}

// Runes is like [Bytes], but n is a number of characters.
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
