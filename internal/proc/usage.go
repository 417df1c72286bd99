package proc

import (
	"regexp"
	"slices"
	"sync"
)

var (
	// usage begins the help that programs write below an error, such as those of Go.
	usage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:usage)(?: of [^:]+)?:`) })
	// helps is a line of such help: an indented one, a heading, or where to read more.
	helps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s|^[A-Z][\w ]*:$|^Use "|^$`) })
)

// withoutUsage returns lines without help at their end, which hides the error above it. Help
// alone stays.
func withoutUsage(lines []string) []string {
	for i, line := range slices.Backward(lines) {
		switch {
		case usage().MatchString(line):
			if i > 0 {
				return lines[:i]
			}
			return lines
		case !helps().MatchString(line):
			return lines
		}
	}
	return lines
}
