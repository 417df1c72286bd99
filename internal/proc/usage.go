package proc

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// usage begins the help that programs write below an error, such as those of Go.
	usage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:usage)(?: of [^:]+)?:`) })
	// helps is a line of such help: an indented one, a heading, or where to read more.
	helps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s|^[A-Z][\w ]*:$|^Use "|^$`) })
	// listed is a line of such help that more of it follows, such as a list of values.
	listed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][a-z]+(?: [a-z]+){0,2}: `) })
	// installerOutput is what an installer writes before the program starts.
	installerOutput = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*$|^ ?(?:Installed|Resolved|Prepared|Audited|Downloading|Downloaded|Building|Built) |^npm (?:warn|WARN|notice)\b|^\(node:`)
	})
)

// withoutUsage returns lines without help at their end, which hides the error above it. Of help
// alone, the line with the usage stays.
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
