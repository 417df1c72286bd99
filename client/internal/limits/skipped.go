package limits

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"goated/internal/truncate"
)

// ErrUnusable marks the errors of [Limits.SkippedOutput] about a response that goated cannot use. The
// other errors are about lines that may be no response, such as log lines.
var ErrUnusable = errors.New("unusable answer")

// An unusable error is an [ErrUnusable] with the text of another error.
type unusable struct{ error }

func (unusable) Is(kind error) bool { return kind == ErrUnusable }

var (
	errLines   = errors.New("the server wrote something that is not one JSON message per line")
	errFraming = errors.New("the server uses the framing of LSP, with a Content-Length before each message; MCP sends one JSON message per line")
)

// A skippedLine is a line that goated could not use as a response.
type skippedLine struct {
	at    time.Time
	text  string // the line, truncated and printable
	fault error  // why the response is unusable; nil if the line is not a message
}

const (
	maxSkipped = 16  // number of skipped lines that a Limits keeps
	maxExcerpt = 200 // bytes per line that SkippedOutput shows
)

// hasLSPHeader reports whether a line begins or ends with the header of a Language Server Protocol
// message. A message and the next header are on the same line.
func hasLSPHeader(line string) bool {
	before, length, ok := strings.Cut(line, "Content-Length: ")
	return ok && (before == "" || strings.HasSuffix(before, "}")) && strings.Trim(length, "0123456789\r") == ""
}

// keepSkipped keeps a skipped line. The caller holds mu.
func (l *Limits) keepSkipped(text string, fault error) {
	if len(l.skipped) == maxSkipped {
		l.skipped = append(l.skipped[:0], l.skipped[1:]...)
	}
	l.skipped = append(l.skipped, skippedLine{time.Now(), text, fault})
}

// SkippedOutput returns an error that describes the output that goated has skipped since a time. It
// returns nil if there is none. It prefers an unusable response to a log line, and a line that
// begins like JSON to any other.
func (l *Limits) SkippedOutput(since time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	begun := false
	for _, s := range l.skipped {
		switch {
		case s.at.Before(since):
			continue
		case s.fault != nil:
			return unusable{s.fault}
		case hasLSPHeader(s.text):
			return unusable{errFraming}
		}
		if json := strings.HasPrefix(s.text, "{") || strings.HasPrefix(s.text, "["); json && !begun {
			begun, lines = true, nil
		}
		lines = append(lines, strings.TrimSpace(s.text))
	}
	if len(lines) == 0 {
		return nil
	}
	err := fmt.Errorf("%w: %s", errLines, truncate.Bytes(strings.Join(lines, " "), maxExcerpt))
	if begun {
		return unusable{err}
	}
	return err
}
