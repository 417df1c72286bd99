// Package commandtext cleans up commands that are copied from terminals and READMEs. It removes
// prompts, joins the lines of a command, and translates the syntax of Windows shells and fish to bash.
//
// It finds code blocks and command lines in a README. It knows the programs with which READMEs start
// servers, and those that only prepare. It has no state, and must not depend on servers or the file
// system.
package commandtext

import (
	"strings"

	"goated/internal/lazyregexp"
)

// straight replaces the quotes and dashes of a word processor.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", " –", " --", " —", " --")

// Straight returns a text with straight quotes and plain dashes.
func Straight(text string) string { return straight.Replace(text) }

var (
	// shortDash matches a one-letter option whose dash a word processor has lengthened.
	shortDash = lazyregexp.New(`(^|\s)[–—]([A-Za-z])(\s|$)`)
	// backslashes matches backslashes, and a quote after them.
	backslashes = lazyregexp.New(`\\+"?`)
)

// Bash translates a pasted text to bash syntax. It removes prompts, sets variables as bash does, and
// quotes placeholders. windows means that a backslash is part of a path.
func Bash(text string, windows bool) string {
	var lines []string
	q := quoting{windows: windows && !strings.Contains(text, `{\"`)} // such as "{\"name\": …}"
	for line := range strings.SplitSeq(continued(Straight(shortDash.ReplaceAllString(text, "$1-$2$3")), windows), "\n") {
		if q.open != 0 {
			lines = append(lines, q.line(line))
			continue
		}
		line = unprompted(line)
		lines = append(lines, q.line(posix(line)))
	}
	joined := strings.TrimSuffix(strings.TrimSpace(strings.Join(lines, "\n")), `\`)
	if windows {
		joined = backslashes.ReplaceAllStringFunc(joined, func(run string) string {
			if !q.windows && strings.HasSuffix(run, `"`) {
				return run // it escapes the quote, as in a shell
			}
			return strings.ReplaceAll(run, `\`, `\\`)
		})
	}
	return joined
}
