package format

import "strings"

// Cut returns text on one line of at most n characters. An ellipsis at the end
// shows that text is missing.
func Cut(text string, n int) string {
	long := len(text) > 16*n // the rest does not matter, and the text may be a megabyte long
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
