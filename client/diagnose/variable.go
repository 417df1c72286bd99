package diagnose

import (
	"slices"
	"strings"
)

var (
	// Exactly one group of noVariable matches. It is the name.
	noVariable = pattern(`KeyError: '([A-Z][A-Z0-9_]{3,})'|(?s:"?path"?: \[\s*['"]([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"]\s*\])|\n\s+→ at ([A-Z][A-Z0-9]*_[A-Z0-9_]+)\n|(?m:^([A-Z][A-Z0-9]*_[A-Z0-9_]+)\n\s+Field required\b)|` +
		`\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,40}\b(?i:(?:not|n't|never|not be|not been) (?:set|found|provided|configured|defined|specified|given|supplied)|missing|required|undefined|unset|empty|must be (?:set|provided|configured|defined|specified|given))\b|` +
		`\b(?i:missing|required?|requires|needs?|(?:un)?set|provide|pass|export|define|specify|configure|supply)\b[^\n]{0,40}\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b`)
	// severalVariables matches variables that one sentence names together.
	severalVariables = pattern(`\b[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:(?:, (?:and |or )?| and | or | and/or )[A-Z][A-Z0-9]*_[A-Z0-9_]+\b)+`)
	oneVariable      = pattern(`[A-Z][A-Z0-9]*_[A-Z0-9_]+`)
	nodeCode         = pattern(`\bERR_\w+`)
	anyFrame         = pattern(`^[ |]*File "[^"]+", line \d+|^\s+at .*:\d+\)?(?: \{)?$`)
	jsPlace          = pattern(`^(?:/|[A-Z]:\\|file://).*:\d+$`)
	jsPointer        = pattern(`^\s*\^+\s*$`)
)

// variables returns the environment variables that the server reports as missing. names is the
// server's own wording, such as "API_KEY or API_TOKEN". first is the first variable that is not
// set. Both are empty if the server reports none, or if it went on without them.
func (f Facts) variables() (names, first string) {
	before, report := f.Output, ""
	if at := lastReport(f.Output); at >= 0 {
		before, report = f.Output[:at], nodeCode().ReplaceAllString(withoutSource(f.Output[at:]), "")
	}
	if at := noVariable().FindStringSubmatchIndex(report); at != nil {
		return f.variablesAt(report, at)
	}
	before = nodeCode().ReplaceAllString(withoutSource(before), "")
	for _, at := range noVariable().FindAllStringSubmatchIndex(before, -1) {
		from, to := lineAround(before, at)
		if names, first = f.variablesAt(before, at); f.mayEnd(before[from:to], before[to:], report, first) {
			return names, first
		}
	}
	return "", ""
}

// lineAround returns the beginning and the end of the lines that contain a match.
func lineAround(said string, at []int) (from, to int) {
	from, to = strings.LastIndexByte(said[:at[0]], '\n')+1, len(said)
	if end := strings.IndexByte(said[at[1]:], '\n'); end >= 0 {
		to = at[1] + end
	}
	return from, to
}

// variablesAt returns the results of [Facts.variables] for a match of noVariable.
func (f Facts) variablesAt(said string, at []int) (names, first string) {
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			first = said[at[i]:at[i+1]]
		}
	}
	from, to := lineAround(said, at)
	for _, list := range severalVariables().FindAllString(said[from:to], -1) {
		each := oneVariable().FindAllString(list, -1)
		if !slices.Contains(each, first) {
			continue
		}
		set := func(name string) bool {
			return slices.ContainsFunc(f.Env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		}
		if slices.ContainsFunc(each, set) { // the others are missing
			each = slices.DeleteFunc(each, set)
			list = strings.Join(each, " and ")
		}
		if len(each) > 0 {
			return list, each[0]
		}
	}
	return first, first
}

// withoutSource removes the places and the source lines from tracebacks. Constants in a program
// look like environment variables, and words like "set" are often near them.
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
