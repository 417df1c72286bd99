package client

import (
	"bytes"
	"strings"
	"sync"
)

// What is kept of a server's stderr: the last lines, each cut, up to logBytes;
// and how many of them are shown with an error.
const (
	tailLines = 20
	tailLine  = 500
	logBytes  = 64 << 10
)

// A tail keeps the last lines written to it, as [Plain] text. It is safe for concurrent use, and
// never fails or blocks: a server whose stderr is not drained would stop.
type tail struct {
	mu      sync.Mutex
	lines   []string
	size    int // of lines
	partial []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		if room := tailLine - len(t.partial); room > 0 {
			t.partial = append(t.partial, line[:min(len(line), room)]...)
		}
		if ended {
			t.push(string(bytes.TrimRight(t.partial, "\r")))
			t.partial = t.partial[:0]
		}
		p = rest
	}
	return n, nil
}

// push adds a whole line; the caller holds mu.
func (t *tail) push(line string) {
	if line = Plain(line); line == "" {
		return
	}
	t.lines = append(t.lines, line)
	for t.size += len(line) + 1; t.size > logBytes; t.lines = t.lines[1:] {
		t.size -= len(t.lines[0]) + 1
	}
}

// Note adds a line of goated's own.
func (t *tail) Note(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.push(strings.ToValidUTF8(line[:min(len(line), tailLine)], ""))
}

// Lines returns the last lines, the unfinished one included.
func (t *tail) Lines() []string { return t.last(tailLines) }

// Log returns all lines that are kept.
func (t *tail) Log() []string { return t.last(logBytes) }

func (t *tail) last(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.partial) > 0 {
		n--
	}
	lines := append([]string(nil), t.lines[max(0, len(t.lines)-n):]...)
	if len(t.partial) > 0 {
		lines = append(lines, Plain(string(t.partial)))
	}
	return lines
}
