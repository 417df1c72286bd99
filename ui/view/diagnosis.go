package view

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"goated/client"
)

// Why is what most likely keeps a server from running, as a sentence; empty
// where the error itself says all that is known.
func Why(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil || client.Quarantined(err) {
		return ""
	}
	return e.Diagnosis.Why
}

// Diagnosed is what is known of why a server does not run.
func Diagnosed(err error) client.Diagnosis {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil {
		return client.Diagnosis{}
	}
	return *e.Diagnosis
}

// Reportable reports whether it is the server's authors who have to mend it, or
// to say how.
func Reportable(err error) bool {
	switch d := Diagnosed(err); d.Cause {
	case client.CauseCrash, client.CauseMemory, client.CauseProtocol, client.CauseError, client.CauseSlow:
		return true
	case client.CauseUnknown:
		return d.Exit != ""
	}
	return false
}

// Report is what the authors of a server need to mend it.
func Report(s client.Server, err error) string {
	parts := []string{Sentence(err.Error())}
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+"\n"+text)
		}
	}
	if why := Why(err); why != "" {
		parts[0] += "\n" + why
	}
	add("Command", CommandLine(err))
	add("How it ended", ExitNote(err))
	add("What is not MCP on its stdout", s.Stray.Last)
	lines := s.Stderr
	if len(lines) == 0 {
		lines = Stderr(err)
	}
	add("What the server last wrote", strings.Join(lines, "\n"))
	return strings.Join(parts, "\n\n") + "\n"
}

// Mend is what to type in a terminal to mend what keeps a server from running;
// empty where no command does.
func Mend(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil || len(e.Diagnosis.Mend) == 0 {
		return ""
	}
	var lines []string
	if dir := e.Diagnosis.MendDir; dir != "" {
		lines = append(lines, "cd "+shellWord(dir))
	}
	for _, argv := range e.Diagnosis.Mend {
		words := make([]string, len(argv))
		for i, arg := range argv {
			if i == 0 && filepath.IsAbs(arg) && strings.HasPrefix(arg, e.Diagnosis.MendDir+string(filepath.Separator)) && e.Diagnosis.MendDir != "" {
				arg = strings.TrimPrefix(arg, e.Diagnosis.MendDir+string(filepath.Separator))
			}
			words[i] = shellWord(arg)
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// shellWord writes an argument so that a shell reads it as one, and as itself.
func shellWord(arg string) string {
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("-_./@:=+,", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// StrayNote says how much a server wrote to stdout beside its messages; empty
// where there is nothing to say.
func StrayNote(s client.Server) string {
	if s.Stray.Lines == 0 {
		return ""
	}
	return Plural(s.Stray.Lines, "%[2]s line on stdout was not a message", "%[2]s lines on stdout were not messages", thousands(s.Stray.Lines))
}

// StrayAdvice says what to do about it, and which line was the last of them.
func StrayAdvice(s client.Server) string {
	return fmt.Sprintf("MCP is spoken over stdout: have the server print to stderr. Last: %s", Cut(s.Stray.Last, 80))
}

// HabitNote says what else is odd about what a server sends, and does no harm;
// empty where nothing is.
func HabitNote(s client.Server) string {
	var notes []string
	if s.Stray.CRLF > 0 {
		notes = append(notes, "Sends Windows line ends.")
	}
	if s.Stray.BOM > 0 {
		notes = append(notes, "Sends byte order marks.")
	}
	if n := s.Stray.Blank; n > 0 {
		notes = append(notes, Plural(n, "Has sent %[2]s blank line.", "Has sent %[2]s blank lines.", thousands(n)))
	}
	if n := s.Stray.Unasked; n > 0 {
		notes = append(notes, Plural(n, "Has sent %[2]s answer that nobody waited for.", "Has sent %[2]s answers that nobody waited for.", thousands(n)))
	}
	return strings.Join(notes, " ")
}

// QuarantineNote says that a server was put away since it speaks something else
// than MCP, or too much; empty where it was not.
func QuarantineNote(err error) string {
	if !client.Quarantined(err) {
		return ""
	}
	return "goated has put it in quarantine. It starts again only when you say so."
}

// RetryNote says when a server is started again; empty where it is not.
func RetryNote(s client.Server, now time.Time) string {
	if s.Status != client.Failed || s.RetryAt.IsZero() {
		return ""
	}
	left := s.RetryAt.Sub(now)
	if left <= 0 {
		return "Starting again…"
	}
	return fmt.Sprintf("Starts again in %d s", int(math.Ceil(left.Seconds())))
}

// CommandLine is what ran a server, or would have, as it can be typed; empty
// where it is not known.
func CommandLine(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil || len(e.Diagnosis.Command) == 0 {
		return ""
	}
	words := make([]string, len(e.Diagnosis.Command))
	for i, w := range e.Diagnosis.Command {
		words[i] = homely(w)
	}
	line := strings.Join(words, " ")
	if dir := e.Diagnosis.Dir; dir != "" && dir != "." {
		line = "cd " + homely(dir) + " && " + line
	}
	return line
}

// homely is an argument for a shell, which takes ~ for the home folder only
// where it is not in quotes.
func homely(arg string) string {
	if rest, ok := strings.CutPrefix(Tilde(arg), "~"); ok && shellWord(rest) == rest {
		return "~" + rest
	}
	return shellWord(arg)
}

// ExitNote says how a server's process ended, and after how long; empty where it
// did not start, or still ran.
func ExitNote(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil || e.Diagnosis.Exit == "" {
		return ""
	}
	return fmt.Sprintf("%s after %s", e.Diagnosis.Exit, Duration(e.Diagnosis.Lasted))
}

// WrongScript reports whether another script is what mends it: this one is not
// there, or none.
func WrongScript(s client.Server, err error) bool {
	if errors.Is(err, client.ErrNotFound) || errors.Is(err, client.ErrExtension) {
		return true
	}
	abs, _ := filepath.Abs(s.Path)
	cause, _ := CauseOf(err)
	return s.Path != "" && cause == client.CauseFile && (DetailOf(err) == s.Path || DetailOf(err) == abs)
}

// DetailOf is what is missing or in the way of a server that does not run.
func DetailOf(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil {
		return ""
	}
	return e.Diagnosis.Detail
}

// CauseOf is what most likely keeps a server from running.
func CauseOf(err error) (cause client.Cause, open string) {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil {
		if errors.Is(err, client.ErrNotFound) {
			return client.CauseFile, ""
		}
		return client.CauseUnknown, ""
	}
	return e.Diagnosis.Cause, e.Diagnosis.Open
}
