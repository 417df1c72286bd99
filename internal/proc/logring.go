package proc

import (
	"bytes"
	"strings"
	"sync"

	"goated/internal/ansi"
)

const (
	// TailLines is how many lines [LogRing.Tail] returns at most.
	TailLines = 20
	// MaxLine is the length, in bytes, to which a line is cut.
	MaxLine = 500
	// logBytes bounds all lines together.
	logBytes = 64 << 10
)

// A LogRing keeps the last 64 KiB of the lines written to it, without control
// sequences. It is safe for concurrent use. Write never fails and never blocks: a
// server whose stderr is not drained would stop. The zero value is empty and ready.
type LogRing struct {
	mu      sync.Mutex
	lines   []string
	size    int // of lines, in bytes
	partial []byte
}

func (l *LogRing) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		if room := MaxLine - len(l.partial); room > 0 {
			l.partial = append(l.partial, line[:min(len(line), room)]...)
		}
		if ended {
			l.push(string(bytes.TrimRight(l.partial, "\r")))
			l.partial = l.partial[:0]
		}
		p = rest
	}
	return n, nil
}

// push adds a whole line; the caller holds mu.
func (l *LogRing) push(line string) {
	if line = ansi.Strip(line); line == "" {
		return
	}
	l.lines = append(l.lines, line)
	for l.size += len(line) + 1; l.size > logBytes; l.lines = l.lines[1:] {
		l.size -= len(l.lines[0]) + 1
	}
}

// Note adds a line that goated writes itself.
func (l *LogRing) Note(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.push(strings.ToValidUTF8(line[:min(len(line), MaxLine)], ""))
}

// Tail returns the last [TailLines] lines, including an unfinished one.
func (l *LogRing) Tail() []string { return l.Last(TailLines) }

// All returns all lines that are kept.
func (l *LogRing) All() []string { return l.Last(logBytes) }

// Last returns the last n lines, including an unfinished one.
func (l *LogRing) Last(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.partial) > 0 {
		n--
	}
	lines := append([]string(nil), l.lines[max(0, len(l.lines)-n):]...)
	if len(l.partial) > 0 {
		lines = append(lines, ansi.Strip(string(l.partial)))
	}
	return lines
}
