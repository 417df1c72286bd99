package diagnose

import (
	"regexp"
	"strings"
)

// reports match the beginning of a report of an uncaught error. That of Node begins with the place
// in the source, and has its stack frames below the message, which may have several lines.
var reports = []func() *regexp.Regexp{
	tracebacks,
	pattern(`(?m)^(?:(?:/|[A-Z]:\\|file://|node:)[^\n]*:\d+\n(?:[^\n]*\n){0,3}?)?(?:\S[^\n]*\W)?\w*(?:Error|Exception)\b[^\n]*\n(?:(?:[ \t][^\n]*|[\[\]{}][\]})]*,?|[-•*✖] [^\n]*|)\n){0,20}?[ \t]+at \S`),
	pattern(`(?m)^panic: |^thread '[^'\n]*'(?: \(\d+\))? panicked at `),
}

var (
	tracebacks = pattern(`(?m)^[ |+]*(?:Exception Group )?Traceback \(most recent call last\):`)
	// sameError matches the end of a traceback that the next one continues, and the bars of a
	// Python exception group.
	sameError = pattern(`(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):\s*$|\n[ |]*\+[-+]+ [\d.]+ -+\n$`)
)

// lastReport returns where the last report of an uncaught error begins in a server's output, or -1
// if there is none. The report of a chain of exceptions begins with the first of them.
func lastReport(output string) int {
	last := -1
	for _, p := range reports {
		all := p().FindAllStringIndex(output, -1)
		i := len(all) - 1
		for i > 0 && sameError().MatchString(output[all[i-1][1]:all[i][0]]) {
			i--
		}
		if i >= 0 {
			last = max(last, all[i][0])
		}
	}
	return last
}

var (
	// grave matches a line about an error.
	grave = pattern(`\b(?:ERROR|FATAL|CRITICAL)\b|^(?i:\W*(?:error|fatal|critical)\b)|\w(?:Error|Exception)\b`)
	// harmless matches a line of a program that goes on: a warning, or a line that says how.
	harmless = pattern(`\b(?:WARN|WARNING|INFO|DEBUG)\b|(?i)^\W*(?:warn|warning|info|debug|note)\b|[,;.:(–—-]\s*(?:so )?(?:using|running|continuing|proceeding|starting|falling back|defaulting|disabling|skipping|optional)\b|\b(?:unauthenticated|anonymous|(?:is|are|be) (?:disabled|limited|unavailable|skipped))\b`)
)

// finalLines is how many lines may follow the reason why a connected server exited.
const finalLines = 5

// mayEnd reports whether a line that names a missing variable may be the reason of the failure. The
// program went on after it if the report of another error follows, if it hangs, or if it had
// connected and wrote more.
func (f Facts) mayEnd(line, rest, report, name string) bool {
	after := 0 // the last line is the exit status
	for l := range strings.Lines(rest) {
		if strings.TrimSpace(l) != "" {
			after++
		}
	}
	switch isGrave := grave().MatchString(line); {
	case report != "":
		return strings.Contains(report, name) || isGrave && f.Failure == StartFailed
	case f.Failure == ConnectTimeout:
		return isGrave
	case !isGrave && harmless().MatchString(line):
		return f.Failure == StartFailed && after <= 1
	case f.Failure == Exited:
		return after <= finalLines
	}
	return true
}
