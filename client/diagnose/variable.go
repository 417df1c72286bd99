package diagnose

import "strings"

var (
	// Of the groups of noVariable, the one that matches is the name.
	noVariable = pattern(`KeyError: '([A-Z][A-Z0-9_]{3,})'|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,40}\b(?:not set|missing|required|undefined|must be set)\b|\b(?:[Mm]issing|[Rr]equired|(?:[Uu]n)?[Ss]et)\b[^\n]{0,40}\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b`)
	nodeCode   = pattern(`\bERR_\w+`)
	anyFrame   = pattern(`^[ |]*File "[^"]+", line \d+|^\s+at .*:\d+\)?(?: \{)?$`)
	jsPlace    = pattern(`^(?:/|[A-Z]:\\|file://).*:\d+$`)
	jsPointer  = pattern(`^\s*\^+\s*$`)
)

// variable returns the environment variable that the server says it lacks, or "".
func (f Facts) variable() string {
	if m := noVariable().FindStringSubmatch(nodeCode().ReplaceAllString(withoutSource(f.Output), "")); m != nil {
		return m[1] + m[2] + m[3]
	}
	return ""
}

// withoutSource removes the places and the source lines of tracebacks. Constants
// in a program look like environment variables, often beside words like "set".
func withoutSource(output string) string {
	lines := strings.Split(output, "\n")
	var kept []string
	for i := 0; i < len(lines); i++ {
		switch {
		case anyFrame().MatchString(lines[i]):
			for at := indent(lines[i]); i+1 < len(lines) && indent(lines[i+1]) > at; i++ {
			}
		case jsPlace().MatchString(lines[i]) && i+2 < len(lines) && jsPointer().MatchString(lines[i+2]):
			i += 2
		default:
			kept = append(kept, lines[i])
		}
	}
	return strings.Join(kept, "\n")
}

// indent returns the width of a line's indentation, including the bars of a
// Python exception group.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t|")) }
