package ghost

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
)

type level string

const (
	levelDebug level = "DEBUG"
	levelInfo  level = "INFO"
	levelWarn  level = "WARN"
	levelError level = "ERROR"
	levelFatal level = "FATAL"
)

// logger writes "[2025-12-04T10:30:15Z] [INFO] message" lines.
// It is safe for concurrent use.
type logger struct {
	now func() time.Time

	mu sync.Mutex
	w  io.Writer
}

// log writes one line. It escapes control characters: a message may hold text of the
// model, which must not forge a line.
func (l *logger) log(lv level, format string, args ...any) {
	l.write(lv, fmt.Sprintf(format, args...), "")
}

// failure writes a line and, indented below it, the stack.
func (l *logger) failure(lv level, stack []byte, format string, args ...any) {
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(string(stack)), "\n", "\n    ") + "\n"
	l.write(lv, fmt.Sprintf(format, args...), indented)
}

func (l *logger) write(lv level, message, below string) {
	line := fmt.Sprintf("[%s] [%s] %s\n%s", l.now().UTC().Format("2006-01-02T15:04:05Z"), lv, oneLine(message), below)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.w, line) // there is no other place for the error
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
