// Package serverlog writes the log of a bundled server to stderr. Each event is a line in the form
// of seed 000, "[2025-12-04T10:30:15Z] [INFO] message".
//
// It also reports when the sessions of a server begin and end, which the SDK reports only to its
// logger. It must not know servers or tools.
package serverlog

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"
)

// A Level is the severity of a line.
type Level string

// These are the levels of seed 000.
const (
	Debug Level = "DEBUG"
	Info  Level = "INFO"
	Warn  Level = "WARN"
	Error Level = "ERROR"
	Fatal Level = "FATAL"
)

// A Log writes lines. It is safe for concurrent use.
type Log struct {
	Now func() time.Time // returns the time of a line; must not change while the Log is in use

	mu sync.Mutex
	w  io.Writer
}

// New returns a log that writes to w; to stderr if w is nil.
func New(w io.Writer) *Log {
	if w == nil {
		w = os.Stderr
	}
	return &Log{Now: time.Now, w: w}
}

// Printf writes one line. It escapes control characters, because a message may contain text from
// the model, which must not forge a line.
func (l *Log) Printf(level Level, format string, args ...any) {
	l.write(level, fmt.Sprintf(format, args...), "")
}

// Failure writes a line with the stack trace indented below it.
func (l *Log) Failure(level Level, stack []byte, format string, args ...any) {
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(string(stack)), "\n", "\n    ") + "\n"
	l.write(level, fmt.Sprintf(format, args...), indented)
}

func (l *Log) write(level Level, message, below string) {
	line := fmt.Sprintf("[%s] [%s] %s\n%s", l.Now().UTC().Format("2006-01-02T15:04:05Z"), level, oneLine(message), below)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.w, line) // there is nowhere to report an error
}

func oneLine(s string) string {
	if strings.IndexFunc(s, breaksLine) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if breaksLine(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func breaksLine(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
