package client

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"goated/internal/ansi"
	"goated/internal/proc"
)

// Past one of these without a message between, a server is not one that prints
// now and then, but one that writes something else than MCP.
const (
	strayLines = 1000
	strayBytes = 1 << 20
)

// A Stray counts what a server wrote to stdout beside its messages. It is all
// skipped: a server works in spite of it.
type Stray struct {
	Lines   int    // that are no messages
	Blank   int    // lines without anything
	CRLF    int    // lines that end the way of Windows
	BOM     int    // byte order marks
	Unasked int    // answers to nothing, or to what was answered or given up before
	Last    string // the last of those lines, cut, with what is wrong with it
}

// errNoise is that of a server whose stdout is not MCP's.
var errNoise = errors.New("the server writes something else than MCP messages to its stdout")

// Quarantined reports whether err is that a server was put away since it writes
// something else than MCP, or more than anybody can use.
func Quarantined(err error) bool { return errors.Is(err, errNoise) || Flooded(err) }

// strayed counts a line that is skipped. Its error, at last, ends the connection.
func (c *stdio) strayed(line []byte, why error) error {
	text := printable(line)
	switch {
	case errors.Is(why, errSyntax), errors.Is(why, errNotOne):
		c.p.Stderr.Note("stdout: " + text)
	default:
		c.p.Stderr.Note(fmt.Sprintf("stdout: a message that %v: %s", why, text))
	}
	c.mu.Lock()
	c.stray.Lines++
	c.stray.Last = text
	often := c.stray.Lines&(c.stray.Lines-1) == 0 // told at 1, 2, 4, 8: a flood tells rarely
	fault := c.inRow(len(line), text)
	c.mu.Unlock()
	if often { // without mu: who is told asks for strays with a lock of its own held
		c.tell()
	}
	return fault
}

// inRow counts what comes without a message between, and what comes in all; the
// caller holds mu.
func (c *stdio) inRow(size int, text string) error {
	c.row++
	c.rowBytes += size
	if c.row > strayLines || c.rowBytes > strayBytes {
		return fmt.Errorf("%w, last: %s", errNoise, text)
	}
	return c.idle.add(strayWeight, text, time.Now)
}

// printable is the beginning of a line as it can be shown.
func printable(line []byte) string {
	line = line[:min(len(line), proc.MaxLine)]
	if bytes.IndexByte(line, 0) >= 0 { // UTF-16, which is every other byte
		text := strings.TrimLeft(string(bytes.ReplaceAll(line, []byte{0}, nil)), "\uFFFD") // its mark
		return "UTF-16: " + ansi.Strip(strings.ToValidUTF8(text, ""))
	}
	return ansi.Strip(string(line))
}

// blank counts empty lines. Its error ends the connection.
func (c *stdio) blank(n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stray.Blank += n
	return c.idle.add(n*blankWeight, "blank lines", time.Now)
}

// unasked counts an answer that nobody waits for.
func (c *stdio) unasked() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stray.Unasked++
	if c.lapsed > 0 { // it crossed with our word that it is not wanted any more
		c.lapsed--
		return c.idle.add(spare.weight(), "answers to nothing", time.Now)
	}
	return c.inRow(0, "answers to nothing")
}

// takes notes that a line is about to be taken.
func (c *stdio) takes() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taking = true
}

// listedBytes counts what has come of lists of tools.
func (c *stdio) listedBytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.listed
}

// strays returns what was counted so far.
func (c *stdio) strays() Stray {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stray
}
