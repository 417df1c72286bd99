// Package limits counts the useless messages and lines of a server, and decides when there are too
// many.
//
// It owns the counters of one connection and the two errors that end it. It must not know
// transports or MCP: callers classify each message by a [Verdict].
package limits

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"goated/internal/ansi"
	"goated/internal/proc"
	"goated/internal/truncate"
)

// A server that exceeds one of these within streakTime, without a message in between, does more than
// print now and then. Its output is not MCP.
const (
	MaxStreak      = 1000
	maxStreakBytes = 1 << 20
	streakTime     = time.Minute
)

// maxShown bounds how many bytes of a line a card shows.
const maxShown = 500

// A Noise counts the server output that is not a message. goated skips all of it.
type Noise struct {
	Lines   int    // lines that are not messages
	Blank   int    // empty lines
	CRLF    int    // lines with CRLF endings
	BOM     int    // byte order marks
	Unasked int    // responses to no call, or to a call that has a response or was cancelled
	Last    string // the last of Lines, truncated and printable
}

// ErrNoise means that a server's output is not MCP.
var ErrNoise = errors.New("the server writes something other than MCP messages to its stdout")

// A Limits counts for one connection. It is safe for concurrent use. If a method returns an error,
// the connection must end.
type Limits struct {
	log     *proc.LogRing
	changed func() // called after Noise.Lines changes; must not block

	mu                  sync.Mutex
	noise               Noise
	streak, streakBytes int // lines without a useful message in between
	streakBegan         time.Time
	lapsed              int // cancelled calls whose responses may still come
	skipped             []skippedLine
	budget              budget
}

// Size formats a number of bytes for people.
func Size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// New returns limits that record skipped lines in log. They call changed, without holding a lock,
// each time the number of lines has doubled.
func New(log *proc.LogRing, changed func()) *Limits { return &Limits{log: log, changed: changed} }

// Line counts a skipped line. fault is the reason why a JSON-RPC message is unusable. It is nil if
// the line is not a JSON-RPC message.
func (l *Limits) Line(line []byte, fault error) error {
	text := printable(line)
	if fault == nil {
		l.log.Note("stdout: " + text)
	} else {
		l.log.Note(fmt.Sprintf("stdout: a message that %v: %s", fault, text))
	}
	l.mu.Lock()
	l.noise.Lines++
	l.noise.Last = text
	if fault != nil {
		fault = fmt.Errorf("the server sent a message that %w: %s", fault, truncate.Bytes(text, maxExcerpt))
	}
	l.keepSkipped(text, fault)
	report := l.noise.Lines&(l.noise.Lines-1) == 0 // at 1, 2, 4, 8…, so that a flood reports rarely
	err := l.extendStreak(len(line), text)
	l.mu.Unlock()
	if report {
		l.changed()
	}
	return err
}

// extendStreak extends the streak. The caller holds mu.
func (l *Limits) extendStreak(size int, text string) error {
	if now := time.Now(); l.streak == 0 || now.Sub(l.streakBegan) > streakTime {
		l.streak, l.streakBytes, l.streakBegan = 0, 0, now
	}
	l.streak++
	l.streakBytes += size
	if l.streak > MaxStreak || l.streakBytes > maxStreakBytes {
		return fmt.Errorf("%w, last: %s", ErrNoise, text)
	}
	return l.budget.spend(lineWeight, text, time.Now)
}

// printable returns the beginning of a line in printable form.
func printable(line []byte) string {
	line = line[:min(len(line), maxShown)]
	if bytes.IndexByte(line, 0) >= 0 { // UTF-16: every other byte is 0
		text := strings.TrimLeft(string(bytes.ReplaceAll(line, []byte{0}, nil)), "\uFFFD") // the byte order mark
		return "UTF-16: " + ansi.Strip(strings.ToValidUTF8(text, ""))
	}
	return ansi.Strip(string(line))
}

// Blank counts n empty lines.
func (l *Limits) Blank(n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noise.Blank += n
	return l.budget.spend(n*blankWeight, "blank lines", time.Now)
}

// UnexpectedResponse counts a response that no call waits for. fault explains why it matches no call. It is
// nil if the response came too late.
func (l *Limits) UnexpectedResponse(fault error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noise.Unasked++
	if l.lapsed > 0 { // the response crossed the cancellation
		l.lapsed--
		return l.budget.spend(Unused.weight(), "answers to no call", time.Now)
	}
	if fault != nil {
		l.keepSkipped("", fault)
	}
	return l.extendStreak(0, "answers to no call")
}

// CallCancelled records a cancelled call, whose response may still come.
func (l *Limits) CallCancelled() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lapsed++
}

// Message counts a message by its verdict. The error contains method.
func (l *Limits) Message(v Verdict, method string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := v.weight(); w > 0 {
		if err := l.budget.spend(w, method, time.Now); err != nil {
			return err
		}
	}
	if v.useful() {
		l.streak, l.streakBytes = 0, 0
	}
	return nil
}

// Trimmed counts a byte order mark and a CRLF line ending around a message.
func (l *Limits) Trimmed(bom, crlf bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if bom {
		l.noise.BOM++
	}
	if crlf {
		l.noise.CRLF++
	}
}

// Noise returns the counts so far.
func (l *Limits) Noise() Noise {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.noise
}
