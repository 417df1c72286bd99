package proc

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"goated/internal/ansi"
	"goated/internal/truncate"
)

const (
	// TailLines is the maximum number of lines that [LogRing.Tail] returns.
	TailLines = 20
	// tailSearch is the number of lines that Tail examines.
	tailSearch = 400
	// MaxLine is the length, in bytes, to which a LogRing cuts a line. A cut line ends with "…".
	MaxLine = 4 << 10
	// tailLine is the length, in bytes, to which [LogRing.Tail] cuts a line. Its lines become part
	// of an error message, and people read that in full.
	tailLine = 500
	// logBytes limits the size of all lines together.
	logBytes = 64 << 10
)

// A LogLine is a line of a log, without control sequences.
type LogLine struct {
	At   time.Time // when the line was complete
	Text string
}

// A LogRing keeps the last 64 KiB of the lines written to it, without control sequences. It is safe
// for concurrent use. Write never fails and never blocks, because a server hangs if nobody drains
// its stderr. The zero value is empty and ready.
type LogRing struct {
	mu      sync.Mutex
	lines   []LogLine
	size    int    // of lines, in bytes
	pushed  int    // lines so far
	partial []byte // at most MaxLine+1 bytes; the last one shows that the line is longer
}

func (l *LogRing) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		room := min(len(line), MaxLine+1-len(l.partial))
		l.partial = append(l.partial, line[:room]...)
		if ended {
			l.push(l.unfinished())
			l.partial = l.partial[:0]
		}
		p = rest
	}
	return n, nil
}

// unfinished returns the line that has no line break yet. The caller holds mu.
func (l *LogRing) unfinished() string {
	return ansi.Strip(truncate.Bytes(strings.TrimRight(string(l.partial), "\r"), MaxLine))
}

// Shorten cuts a line to the length that [LogRing.Tail] uses.
func Shorten(line string) string { return truncate.Bytes(line, tailLine) }

// push adds a complete line. The caller holds mu.
func (l *LogRing) push(line string) {
	if line == "" {
		return
	}
	l.lines = append(l.lines, LogLine{time.Now(), line})
	l.pushed++
	for l.size += len(line) + 1; l.size > logBytes; l.lines = l.lines[1:] {
		l.size -= len(l.lines[0].Text) + 1
	}
}

// Note adds the lines of a text that the process did not write.
func (l *LogRing) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(text) {
		l.push(ansi.Strip(truncate.Bytes(strings.TrimRight(line, "\r\n"), MaxLine)))
	}
}

// Tail returns the last [TailLines] lines, cut to their beginnings, including an unfinished one. It
// leaves out the usage text that a program prints below its error.
func (l *LogRing) Tail() []string {
	lines := l.End()
	lines = lines[max(0, len(lines)-TailLines):]
	for i, line := range lines {
		lines[i] = truncate.Bytes(line, tailLine)
	}
	return lines
}

// End returns the uncut lines that Tail selects from. They can hold an error that the stack traces
// of a Go program push out of Tail.
func (l *LogRing) End() []string { return withoutUsage(l.Last(tailSearch)) }

// All returns all stored lines.
func (l *LogRing) All() []string { return l.Last(logBytes) }

// Lines returns all stored lines with their times, including an unfinished one.
func (l *LogRing) Lines() []LogLine { return l.last(logBytes) }

// Written returns the number of lines written so far, as an argument for [LogRing.Since].
func (l *LogRing) Written() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pushed
}

// Since returns the stored lines after the first n written, including an unfinished one.
func (l *LogRing) Since(n int) []string {
	l.mu.Lock()
	more := l.pushed - n
	if len(l.partial) > 0 {
		more++
	}
	l.mu.Unlock()
	return l.Last(more)
}

// Last returns the last n lines, including an unfinished one.
func (l *LogRing) Last(n int) []string {
	lines := l.last(n)
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line.Text
	}
	return out
}

func (l *LogRing) last(n int) []LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n <= 0 {
		return nil
	}
	if len(l.partial) > 0 {
		n--
	}
	lines := append([]LogLine(nil), l.lines[max(0, len(l.lines)-n):]...)
	if len(l.partial) > 0 {
		lines = append(lines, LogLine{time.Now(), l.unfinished()})
	}
	return lines
}
