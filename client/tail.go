package client

import (
	"bytes"
	"sync"
)

// tailLines and tailLine bound what is kept of a server's stderr: the last
// lines, each cut.
const (
	tailLines = 20
	tailLine  = 500
)

// A tail keeps the last lines written to it. It is safe for concurrent use, and
// never fails or blocks: a server whose stderr is not drained would stop.
type tail struct {
	mu      sync.Mutex
	lines   []string
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
	if line == "" {
		return
	}
	if len(t.lines) == tailLines {
		t.lines = t.lines[1:]
	}
	t.lines = append(t.lines, line)
}

// Note adds a line of goated's own.
func (t *tail) Note(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.push(line[:min(len(line), tailLine)])
}

// Lines returns the last lines, the unfinished one included.
func (t *tail) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := append([]string(nil), t.lines...)
	if len(t.partial) > 0 {
		lines = append(lines, string(t.partial))
	}
	return lines
}
