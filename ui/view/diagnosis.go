package view

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"goated/client"
)

// Why is what most likely keeps a server from running, as a sentence; empty
// where the error itself says all that is known.
func Why(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Diagnosis == nil {
		return ""
	}
	return e.Diagnosis.Why
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

// StrayNote says what a server writes to stdout beside its messages; empty where
// there is nothing to say.
func StrayNote(s client.Server) string {
	switch n := s.Stray.Lines; n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("It wrote a line to stdout that is no message, and was skipped: %s", s.Stray.Last)
	default:
		return fmt.Sprintf("It wrote %s lines to stdout that are no messages, and were skipped. The last: %s", thousands(n), s.Stray.Last)
	}
}
