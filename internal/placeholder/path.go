package placeholder

import (
	"strings"

	"goated/internal/lazyregexp"
)

// prefix begins the ID of an input for the user's own path. The path of the text follows, with a dot
// for each slash.
const prefix = "path."

var other = lazyregexp.New(`[\\/]+|[^\w-]`)

// PathInput returns the ID of the input for the user's own path in place of another.
func PathInput(path string) string {
	return prefix + other.ReplaceAllStringFunc(strings.Trim(path, `~/\`), func(s string) string {
		if strings.Trim(s, `/\`) == "" {
			return "."
		}
		return "_"
	})
}

// Path returns the path that the input of an ID replaces, and reports whether it is such an input.
func Path(id string) (path string, ok bool) {
	path, ok = strings.CutPrefix(id, prefix)
	return "/" + strings.ReplaceAll(path, ".", "/"), ok
}
