// Package ownpath names the inputs for the user's own paths in place of those that a text shows, such as
// /Users/username/Desktop. It must not know where the text comes from.
package ownpath

import (
	"strings"

	"goated/internal/lazyregexp"
)

// prefix begins the ID of such an input. The path follows, with a dot for each slash.
const prefix = "path."

var other = lazyregexp.New(`[\\/]+|[^\w-]`)

// ID returns the ID of the input for the user's own path in place of another.
func ID(path string) string {
	return prefix + other.ReplaceAllStringFunc(strings.Trim(path, `~/\`), func(s string) string {
		if strings.Trim(s, `/\`) == "" {
			return "."
		}
		return "_"
	})
}

// Of returns the path that the input of an ID replaces, and reports whether it is such an input.
func Of(id string) (path string, ok bool) {
	path, ok = strings.CutPrefix(id, prefix)
	return "/" + strings.ReplaceAll(path, ".", "/"), ok
}
