package inspect

import (
	"cmp"
	"slices"
	"time"
)

// An End says whether and why the connection to a server ended.
type End string

// The ends of connections.
const (
	NotEnded End = ""
	Closed   End = "closed" // goated closed it, without a fault of the server
	Lost     End = "lost"   // the server ended it, or goated did because of a fault of the server
)

// conclude resolves the requests over a connection that ended: no answer to them comes. Requests
// that began later are of the next connection. It returns the numbers of those that failed. l.mu is
// held.
func (l *Log) conclude(server string, end End, how string, at time.Time) (failed []uint64) {
	for k, e := range l.open {
		if k.server != server || e.Request.Time.After(at) {
			continue
		}
		delete(l.open, k)
		if e.Outcome != Waiting {
			continue
		}
		l.touch(e)
		e.How = how
		if e.Outcome = NoAnswer; end == Lost && e.Ours && e.Method != "subscriptions/listen" {
			e.Outcome = ServerEnded
			l.unanswered(e)
			failed = append(failed, e.Seq)
		}
	}
	slices.Sort(failed)
	return failed
}

// unanswer ends the request that a frame says gets no answer, and returns its entry. It is false if the log
// does not have the request, or has its answer. l.mu is held.
func (l *Log) unanswer(f Frame) (Entry, bool) {
	at := key{l.name(f.Server), true, f.Unanswered}
	e := l.open[at]
	if e == nil || e.Request.Time.After(f.Time) {
		return Entry{}, false
	}
	delete(l.open, at)
	l.touch(e)
	told := e.Outcome == TimedOut // by the message that cancels it
	e.How = cmp.Or(string(f.Data), "no answer")
	e.Answer = Part{f.Time, []byte(e.How), 0}
	switch e.Outcome = Unanswered; {
	case f.Sent && timedOut(e.How):
		e.Outcome = TimedOut
	case f.Sent:
		e.Outcome = Cancelled
	}
	if e.Failed() && !told {
		l.unanswered(e)
	}
	l.frames++
	l.bytes += weight(e.Answer)
	out := *e
	l.trim()
	return out, true
}

// declined reports whether a server's error is its answer to a question of goated's own that a server
// may decline: whether it speaks the newest protocol, and whether it tells of changes. It ends the
// latter with -32000 or -32004 when it is told to close.
func declined(method string, code int) bool {
	switch method {
	case "server/discover":
		switch code {
		case -32601, -32602, -32600, -32000, -32022: // servers of older protocols say one of these
			return true
		}
	case "subscriptions/listen":
		return code == -32601 || code == -32000 || code == -32004
	}
	return false
}
