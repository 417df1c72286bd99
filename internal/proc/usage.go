package proc

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// usage matches the first line of the usage text that programs print below an error, for
	// example those that use Go's flag package.
	usage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:usage)(?: of [^:]+)?:`) })
	// helps matches further lines of a usage text: indented lines, headings, and pointers to more
	// help.
	helps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s|^[A-Z][\w ]*:$|^Use "|^$`) })
	// listed matches a line of a usage text, such as a list of values, if more of the usage text
	// follows.
	listed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][a-z]+(?: [a-z]+){0,2}: `) })
	// installerOutput matches the lines that an installer prints before the program starts.
	installerOutput = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*$|^ ?(?:Installed|Resolved|Prepared|Audited|Downloading|Downloaded|Building|Built) |^npm (?:warn|WARN|notice)\b|^\(node:`)
	})
)

// withoutUsage returns lines without a usage text at their end, because that hides the error above
// it. If there is only a usage text, it keeps the usage line.
func withoutUsage(lines []string) []string {
	for i, line := range slices.Backward(lines) {
		switch {
		case usage().MatchString(line):
			if slices.ContainsFunc(lines[:i], func(above string) bool { return !installerOutput().MatchString(above) }) {
				return lines[:i]
			}
			if end := strings.TrimSpace(line); strings.HasSuffix(end, ":") && i+1 < len(lines) {
				i++ // the usage is on the line below
			}
			return lines[:i+1]
		case !helps().MatchString(line) && (i == len(lines)-1 || !listed().MatchString(line)):
			return lines
		}
	}
	return lines
}
