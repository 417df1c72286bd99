package view

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"goated/client"
	"goated/internal/errtext"
	"goated/internal/shellword"
	"goated/internal/wording"
	"goated/ui/view/format"
)

// DiagnosisOf returns the diagnosis in err, or the zero value if err has none.
func DiagnosisOf(err error) client.FailureReport {
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil {
		return client.FailureReport{}
	}
	return *e.Report
}

// Report returns the information that the authors of a server need to fix it, without secrets.
func Report(s client.Server, err error) string {
	text := err.Error() // the authors need the words of Go and the system
	parts := []string{errtext.Sentence(text)}
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+"\n"+text)
		}
	}
	if why := wording.ReasonText(err); why != "" {
		parts[0] += "\n" + why
	}
	add("Command", CommandLine(err))
	add("How it ended", ExitNote(err))
	add("Other output on stdout", s.Noise.Last)
	lines := s.Stderr
	if len(lines) == 0 {
		lines = Stderr(err)
	}
	add("Last lines of its output", strings.Join(lines, "\n"))
	return DiagnosisOf(err).Masked(strings.Join(parts, "\n\n") + "\n")
}

// FixCommands returns the shell commands that fix the cause of a server's failure, or "" if there are
// none.
func FixCommands(err error) string {
	d := DiagnosisOf(err)
	if len(d.Args.Commands) == 0 {
		return ""
	}
	var lines []string
	dir := d.Args.Dir
	if dir != "" {
		lines = append(lines, "cd "+shellword.Quote(dir))
	}
	for _, argv := range d.Args.Commands {
		words := make([]string, len(argv))
		for i, arg := range argv {
			if i == 0 && filepath.IsAbs(arg) && dir != "" {
				arg = strings.TrimPrefix(arg, dir+string(filepath.Separator))
			}
			words[i] = shellword.Quote(arg)
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// NonMessageNote describes how many lines on a server's stdout were not messages. It returns "" if
// there were none.
func NonMessageNote(s client.Server) string {
	if s.Noise.Lines == 0 {
		return ""
	}
	return format.Plural(s.Noise.Lines, "%[2]s line on stdout was not a message", "%[2]s lines on stdout were not messages", format.Count(s.Noise.Lines))
}

// NonMessageAdvice returns advice about such lines, and quotes the last one.
func NonMessageAdvice(s client.Server) string {
	return fmt.Sprintf("MCP uses stdout. Make the server print to stderr instead. Last line: %s", format.Cut(s.Noise.Last, 80))
}

// OddOutputNote describes harmless oddities in a server's output. It returns "" if there are none.
func OddOutputNote(s client.Server) string {
	var notes []string
	if s.Noise.CRLF > 0 {
		notes = append(notes, "Sends Windows line endings.")
	}
	if s.Noise.BOM > 0 {
		notes = append(notes, "Sends byte order marks.")
	}
	if n := s.Noise.Blank; n > 0 {
		notes = append(notes, format.Plural(n, "Sent %[2]s blank line.", "Sent %[2]s blank lines.", format.Count(n)))
	}
	return strings.Join(notes, " ")
}

// QuarantineNote explains that goated stopped a server because its output is not MCP, or is too
// large. It returns "" for any other error.
func QuarantineNote(err error) string {
	if !client.Quarantined(err) {
		return ""
	}
	return "goated stopped this server and does not restart it by itself."
}

// RetryNote describes when goated restarts a server. It returns "" if goated does not restart it.
func RetryNote(s client.Server, now time.Time) string {
	if s.Status != client.Failed || s.RetryAt.IsZero() {
		return ""
	}
	left := s.RetryAt.Sub(now)
	if left <= 0 {
		return "Restarting…"
	}
	return fmt.Sprintf("Restarting in %d s", int(math.Ceil(left.Seconds())))
}

// CommandLine returns the command of a server, quoted for a POSIX shell. It returns "" if the
// command is unknown.
func CommandLine(err error) string {
	d := DiagnosisOf(err)
	if len(d.Command) == 0 {
		return ""
	}
	words := make([]string, len(d.Command))
	for i, w := range d.Command {
		words[i] = withTilde(w)
	}
	line := strings.Join(words, " ")
	if d.Dir != "" && d.Dir != "." {
		line = "cd " + withTilde(d.Dir) + " && " + line
	}
	return line
}

// withTilde quotes an argument for a shell and abbreviates the home folder. A shell expands ~
// only outside quotes.
func withTilde(arg string) string {
	if rest, ok := strings.CutPrefix(Tilde(arg), "~"); ok && shellword.Quote(rest) == rest {
		return "~" + rest
	}
	return shellword.Quote(arg)
}

// ExitNote describes how a server's process ended, and after how long. It returns "" if the
// process did not start or is still running.
func ExitNote(err error) string {
	d := DiagnosisOf(err)
	if d.Exit == "" {
		return ""
	}
	return fmt.Sprintf("%s after %s", d.Exit, format.Duration(d.Lasted))
}

// WrongScript reports whether the user has to choose another script, because this one is missing
// or is not a script.
func WrongScript(s client.Server, err error) bool {
	if errors.Is(err, client.ErrNotFound) || errors.Is(err, client.ErrExtension) {
		return true
	}
	abs, _ := filepath.Abs(s.Path)
	d := DiagnosisOf(err)
	return s.Path != "" && d.Cause.AboutFile() && (d.Args.Subject == s.Path || d.Args.Subject == abs)
}
