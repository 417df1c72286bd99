package diagnose

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// belowError matches lines that interpreters and package managers print below an error: stack
	// frames, fields of an object, strings in a list, brackets, their own version, and the path of
	// their log.
	belowError = pattern(`^\s+(?:at .+|['"][^'"]*['"],?|\.\.\. \d+ .*|[\w'"-]+: .*)$|^[\s\W_]*$|^Emitted 'error' event |^(?:Node\.js|Bun) v\d|^goroutine \d|^\t|^note: run with |^stack backtrace:|^-+ Native stack trace -+$|^[ \d]\d: 0x[0-9a-f]+ |^npm (?:error|ERR!) (?:A complete log|Log files|code |errno |syscall |path |command |signal |\s*at |.*-debug-\d+\.log)`)
	// warning matches Node's warnings, for example about the sandbox's proxy or an old library.
	// Node does not exit because of them.
	warning = pattern(`^\(node:\d+\) .*Warning: |^\(Use .node --trace-[a-z-]+ `)
	// reference matches a line that only refers to an explanation of the error. SQLAlchemy and
	// pydantic print such lines.
	reference = pattern(`^\W*(?:Background on this error at|For further information,? visit|For more information,? (?:see|visit)|See|See also|Read more|Learn more|Docs|Documentation):? ?<?https?://\S+$`)
	// quiet and loud match log lines by their level.
	quiet = pattern(`^\W*(?:INFO|DEBUG)\b`)
	loud  = pattern(`^\W*(?:ERROR|CRITICAL|FATAL)\b`)
	// verdict matches the line in which Go, Node, the Python interpreter or npm gives the reason
	// for its exit. More lines follow.
	verdict = pattern(`^(?:panic|fatal error|SIG[A-Z]+|FATAL ERROR|Fatal Python error): |^npm (?:error|ERR!) `)
	// listedField and listedMessage match the field and the message of a problem in a list, as zod
	// prints it.
	listedField   = pattern(`"?\bpath"?: \[\s*['"]([\w.-]+)['"]`)
	listedMessage = pattern(`"?\bmessage"?: (?:"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)')`)
	// fatal matches the reason that a subprocess gives, for example git under uv.
	fatal = pattern(`^\s+fatal: `)
	// because starts uv's reason, which continues on the next lines.
	because = "╰─▶ "
	latest  = "  cause: Because " // of uv since 0.13
)

// Reason returns the line of a program's last lines that explains its exit best. An interpreter
// prints its error last, but Node, Go, npm and uv print more below it. Reason returns "" if there
// are no lines.
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
		for _, above := range slices.Backward(lines[max(0, i-2):i]) { // of an error that spans several lines
			if strings.HasPrefix(above, "Error: ") {
				return listed(above, lines[i:])
			}
		}
		if quiet().MatchString(line) { // from a shutdown after the error
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

// listed returns an error together with the first item of the list below it. The opening bracket
// alone explains nothing.
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
