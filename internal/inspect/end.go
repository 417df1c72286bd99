package inspect

import (
	"cmp"
	"slices"
	"time"
)

// An End records whether and why the connection to a server ended.
type End string

// These are the ends of a connection.
const (
	NotEnded End = ""
	Closed   End = "closed" // goated closed it, and the server did nothing wrong
	Lost     End = "lost"   // the server closed it, or goated closed it because of a fault of the server
)

// conclude resolves the open requests over a connection that ended, because they get no response
// any more. Requests that began later belong to the next connection. It returns the numbers of the
// requests that failed. The caller holds l.mu.
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

// unanswer completes the request for which a frame reports that it gets no response, and returns
// its entry. It returns false if the log does not have the request, or already has its response.
// The caller holds l.mu.
func (l *Log) unanswer(f Frame) (Entry, bool) {
	at := key{l.name(f.Server), true, f.Unanswered}
	e := l.open[at]
	if e == nil || e.Request.Time.After(f.Time) {
		return Entry{}, false
	}
	delete(l.open, at)
	l.touch(e)
	told := e.Outcome == TimedOut // by the notification that cancels it
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

// declined reports whether a server may answer one of goated's own probes with this error. The
// probes are server/discover, which servers of older protocols decline, and subscriptions/listen,
// which requests change notifications. A server ends the latter with -32000 or -32004 when it has
// to close.
func declined(method string, code int) bool {
	switch method {
	case "server/discover":
		switch code {
		case -32601, -32602, -32600, -32000, -32022: // servers with older protocols return one of these
			return true
		}
	case "subscriptions/listen":
		return code == -32601 || code == -32000 || code == -32004
	}
	return false
}
