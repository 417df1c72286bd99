package format

import "strings"

// Cut makes one line of text of at most n characters, the last of them an
// ellipsis where something is missing.
func Cut(text string, n int) string {
	long := len(text) > 16*n // no more of it can matter, and it may be a megabyte
	if long {
		text = strings.ToValidUTF8(text[:16*n], "")
	}
	line := []rune(strings.Join(strings.Fields(text), " "))
	switch {
	case len(line) <= n && !long:
		return string(line)
	case len(line) < n:
		return string(line) + "…"
	}
	return strings.TrimRight(string(line[:n-1]), " ") + "…"
}
