package client

import "strings"

// What servers say of a variable that is not set; the one group that is there is
// its name.
var (
	noVariable = pattern(`KeyError: '([A-Z][A-Z0-9_]{3,})'|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,40}\b(?:not set|missing|required|undefined|must be set)\b|\b(?:[Mm]issing|[Rr]equired|(?:[Uu]n)?[Ss]et)\b[^\n]{0,40}\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b`)
	errorCode  = pattern(`\bERR_\w+`) // of Node's
	anyFrame   = pattern(`^[ |]*File "[^"]+", line \d+|^\s+at .*:\d+\)?(?: \{)?$`)
	jsPlace    = pattern(`^(?:/|[A-Z]:\\|file://).*:\d+$`)
	jsPointer  = pattern(`^\s*\^+\s*$`)
)

// variable is the one that the server says it lacks; empty if it says no such
// thing.
func (c circumstances) variable() string {
	if m := noVariable().FindStringSubmatch(errorCode().ReplaceAllString(spoken(c.said), "")); m != nil {
		return m[1] + m[2] + m[3]
	}
	return ""
}

// spoken is what was said without tracebacks' lines of source and their places. A
// program's constants look as variables of the environment do, and stand beside
// words like "set".
func spoken(said string) string {
	lines := strings.Split(said, "\n")
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

// indent is how far in a line begins, behind the bars of a group of exceptions.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t|")) }
