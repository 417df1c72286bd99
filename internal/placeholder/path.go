package placeholder

import (
	"encoding/hex"
	"fmt"
	"strings"

	"goated/internal/lazyregexp"
)

// prefix is the beginning of the ID of an input for the user's own path. The path in the text
// follows it. In the ID, a dot stands for each slash, and __ with hexadecimal digits for each byte
// that an ID cannot contain.
const prefix = "path."

var (
	other   = lazyregexp.New(`[\\/]+|[^\w-]|__+`)
	escaped = lazyregexp.New(`__[0-9A-F]{2}`)
)

// rooted matches the beginning of a path, but not that of "owner/repository".
var rooted = lazyregexp.New(`^(?:[/~]|\.\.?[\\/]|[A-Za-z]:[\\/])`)

// folder matches a placeholder for a folder at the beginning of a path, as in <path>/server.py.
var folder = lazyregexp.New(`(?i)^(?:<[^<>/\\]*\b(?:path|dir|directory|folder|location|repo)[^<>/\\]*>|\[[a-z _-]*\b(?:path|dir|directory|folder|location|repo)[a-z _-]*\]|\{[a-z _-]*\b(?:path|dir|directory|folder|location|repo)[a-z _-]*\})[\\/]`)

// IsPath reports whether a placeholder is a path. Other values with slashes, such as
// <user>/<token>, may be secret.
func IsPath(value string) bool {
	return strings.ContainsAny(value, `/\`) && !strings.Contains(value, "://") && (rooted.MatchString(value) || pathStandIns.MatchString(value) || folder.MatchString(value))
}

// PathInput returns the ID of the input for the user's own path, which replaces path.
func PathInput(path string) string {
	return prefix + other.ReplaceAllStringFunc(strings.Trim(path, `/\`), func(s string) string {
		if strings.Trim(s, `/\`) == "" {
			return "."
		}
		var id strings.Builder
		for _, b := range []byte(s) {
			fmt.Fprintf(&id, "__%02X", b)
		}
		return id.String()
	})
}

// Path returns the path that the input with an ID replaces, and whether id belongs to such an
// input.
func Path(id string) (path string, ok bool) {
	path, ok = strings.CutPrefix(id, prefix)
	path = escaped.ReplaceAllStringFunc(strings.ReplaceAll(path, ".", "/"), func(s string) string {
		b, _ := hex.DecodeString(s[2:]) // cannot fail: it has two digits
		return string(b)
	})
	switch {
	case !rooted.MatchString(path) && !folder.MatchString(path):
		return "/" + path, ok
	case len(path) > 1 && path[1] == ':': // a drive
		return strings.ReplaceAll(path, "/", `\`), ok
	}
	return path, ok
}
