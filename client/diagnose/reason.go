package diagnose

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// belowError matches what interpreters and package managers write below an error: stack
	// frames, the fields of an object, the texts of a list, brackets, their own version, and where their log is.
	belowError = pattern(`^\s+(?:at .+|['"][^'"]*['"],?|\.\.\. \d+ .*|[\w'"-]+: .*)$|^[\s\W_]*$|^Emitted 'error' event |^(?:Node\.js|Bun) v\d|^goroutine \d|^\t|^note: run with |^stack backtrace:|^-+ Native stack trace -+$|^[ \d]\d: 0x[0-9a-f]+ |^npm (?:error|ERR!) (?:A complete log|Log files|code |errno |syscall |path |command |signal |\s*at |.*-debug-\d+\.log)`)
	// warning matches what Node warns of while it runs: that it uses the proxy of the sandbox, or
	// that a library is old. It ends for none of that.
	warning = pattern(`^\(node:\d+\) .*Warning: |^\(Use .node --trace-[a-z-]+ `)
	// reference matches a line that only says where an error is explained, as SQLAlchemy and pydantic write it.
	reference = pattern(`^\W*(?:Background on this error at|For further information,? visit|For more information,? (?:see|visit)|See|See also|Read more|Learn more|Docs|Documentation):? ?<?https?://\S+$`)
	// quiet and loud match lines of a log by their level.
	quiet = pattern(`^\W*(?:INFO|DEBUG)\b`)
	loud  = pattern(`^\W*(?:ERROR|CRITICAL|FATAL)\b`)
	// verdict matches the line in which Go, Node, Python's interpreter or npm says why it ended,
	// above the rest.
	verdict = pattern(`^(?:panic|fatal error|SIG[A-Z]+|FATAL ERROR|Fatal Python error): |^npm (?:error|ERR!) `)
	// listed are the field and the message of a problem in a list, as zod writes it.
	listedField   = pattern(`"?\bpath"?: \[\s*['"]([\w.-]+)['"]`)
	listedMessage = pattern(`"?\bmessage"?: (?:"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)')`)
	// fatal matches the reason of a program below another one, such as that of git below uv.
	fatal = pattern(`^\s+fatal: `)
	// because begins uv's reason, which continues on the lines below.
	because = "╰─▶ "
	latest  = "  cause: Because " // of uv since 0.13
)

// Reason returns what of a program's last lines says best why it ended. An interpreter writes
// its error last, but Node, Go, npm and uv write more below it. It is empty if there are no
// lines.
func Reason(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), warning().MatchString)
	for i, line := range lines {
		if verdict().MatchString(line) && !belowError().MatchString(line) {
			return line
		}
		if _, reason, ok := strings.Cut(line, because); ok || strings.HasPrefix(line, latest) {
			if !ok {
				reason = strings.TrimPrefix(strings.TrimSpace(line), "cause: ")
			}
			for _, more := range lines[i+1:] {
				if !strings.HasPrefix(more, "   ") {
					break
				}
				reason += " " + strings.TrimSpace(more)
			}
			return reason
		}
	}
	for i, line := range slices.Backward(lines) {
		if fatal().MatchString(line) {
			return strings.TrimSpace(line)
		}
		if belowError().MatchString(line) || reference().MatchString(line) {
			continue
		}
		for _, above := range slices.Backward(lines[max(0, i-2):i]) { // of an error of several lines
			if strings.HasPrefix(above, "Error: ") {
				return listed(above, lines[i:])
			}
		}
		if quiet().MatchString(line) { // of a shutdown after the error
			for _, above := range slices.Backward(lines[:i]) {
				if loud().MatchString(above) {
					return above
				}
			}
		}
		return listed(line, lines[i+1:])
	}
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// escapes undoes the two harmless escapes of JSON. Others could hide control characters.
var escapes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// listed returns an error with what the list below it says first. The bracket alone says nothing.
func listed(line string, below []string) string {
	head, open := strings.CutSuffix(line, "[")
	if !open {
		return line
	}
	text := strings.Join(below, "\n")
	said := ""
	for _, p := range []func() *regexp.Regexp{listedField, listedMessage} {
		if m := p().FindStringSubmatch(text); m != nil {
			said += ": " + escapes.Replace(strings.Join(m[1:], ""))
		}
	}
	if said == "" {
		return line
	}
	return strings.TrimRight(head, " :") + said
}
