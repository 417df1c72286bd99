// Package mistake distinguishes a program's own errors from refusals of the sandbox.
//
// It owns the names of such errors, and the words with which programs report a refusal. It must not
// know sandboxes or permissions.
package mistake

import (
	"regexp"
	"strings"
	"sync"
)

// mistakes match errors that come from a bug in the program itself, for example if it was written
// for another version of its library.
var mistakes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:AttributeError|NameError|UnboundLocalError|SyntaxError|IndentationError|ReferenceError|TypeError): .*`)
})

// In reports whether a text describes a bug in the program. Files that such a program failed to
// read at the same time are not the reason for its failure. A missing value may come from a file
// that it could not read, so In does not count it.
func In(text string) bool {
	for _, line := range mistakes().FindAllString(text, -1) {
		if !strings.Contains(line, "None") && !strings.Contains(line, "undefined") && !strings.Contains(line, "null") {
			return true
		}
	}
	return false
}
