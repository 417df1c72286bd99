package config

import (
	"net/url"
	"path/filepath"
	"strings"
)

// ScriptPath returns the path in a text that the user typed, pasted or dropped. It removes quotes
// and file://, and replaces ~ by home.
func ScriptPath(text, home string) string {
	path := strings.TrimSpace(text)
	for _, quote := range []string{`"`, `'`} {
		if len(path) > 1 && strings.HasPrefix(path, quote) && strings.HasSuffix(path, quote) {
			path = path[1 : len(path)-1]
		}
	}
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			path = plain
		}
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		path = home + rest
	}
	return path
}
