package commandtext

import "slices"

// WithExtension returns the server that a command of Goose adds to one session, or "" if there is none.
func WithExtension(words []string) string {
	at := slices.IndexFunc(words, func(w string) bool {
		return w == "--with-extension" || w == "--with-remote-extension" || w == "--with-streamable-http-extension"
	})
	if at < 0 || at+1 >= len(words) {
		return ""
	}
	return words[at+1]
}
