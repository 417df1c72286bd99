// Package commandtext reads commands as terminals and READMEs show them: it removes prompts, joins the
// lines of a command, and writes the lines of Windows' shells and of fish as bash reads them.
//
// It finds the blocks of code and the lines of commands in a README, and owns the names of the programs that READMEs
// start servers with, and of those that only prepare.
// It has no state, and must not know servers or the file system.
package commandtext

import (
	"strings"

	"goated/internal/lazyregexp"
)

// straight replaces the quotes and dashes of a word processor.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", " –", " --", " —", " --")

// Straight returns a text with straight quotes and short dashes.
func Straight(text string) string { return straight.Replace(text) }

var (
	// shortDash is the option of one letter that a word processor gave a long dash.
	shortDash = lazyregexp.New(`(^|\s)[–—]([A-Za-z])(\s|$)`)
	// backslashes matches backslashes, and the quote behind them.
	backslashes = lazyregexp.New(`\\+"?`)
)

// Bash returns a pasted text as bash reads it: its commands without prompts, each variable set as bash
// does, and words that stand for the user's own in quotes. windows says that a backslash is a part of a path.
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
				return run // it escapes the quote, as for a shell
			}
			return strings.ReplaceAll(run, `\`, `\\`)
		})
	}
	return joined
}
