// Package hold lets a process's connections to a host wait while the user is asked whether the
// process may reach the host.
//
// It owns the open questions of one process, one for each host. It must not know how
// connections are made, who answers, or when a question is worth asking.
package hold

import (
	"context"
	"sync"
)

// An Answer is an answer to a question about a host.
type Answer int

// The answers. Held may come first. It means that the user sees the question and the connections
// wait.
const (
	Refused Answer = iota
	Held
	Allowed
)

// Ask asks whether a process may reach a host. It returns immediately. It calls answer with Held at
// most once, and then once with Refused or Allowed, even after ctx has ended.
type Ask func(ctx context.Context, host string, answer func(Answer))

// Except returns a copy of a that asks no questions about hosts for which refused returns true.
func (a Ask) Except(refused func(host string) bool) Ask {
	if a == nil {
		return nil
	}
	return func(ctx context.Context, host string, answer func(Answer)) {
		if refused(host) {
			answer(Refused)
			return
		}
		a(ctx, host, answer)
	}
}

// Questions holds the open questions about hosts. Connections to the same host share a question.
// Nil refuses all hosts. The methods are safe for concurrent use.
type Questions struct {
	ctx   context.Context
	ask   Ask
	allow func(host string) // called before the connections continue

	mu   sync.Mutex
	open map[string]*question
}

// A question asks about one host.
type question struct {
	seen     chan struct{} // closed at the first answer
	answered chan struct{} // closed at the last answer
	held     bool          // read after seen
	allowed  bool          // read after answered
}

// New returns Questions that work until ctx ends. It returns nil if ask is nil. The Questions call
// allow for each host that the user allows.
func New(ctx context.Context, ask Ask, allow func(host string)) *Questions {
	if ask == nil {
		return nil
	}
	return &Questions{ctx: ctx, ask: ask, allow: allow, open: make(map[string]*question)}
}

// Holds reports whether a connection to a host waits for the user or may continue.
func (qs *Questions) Holds(host string) bool {
	if qs == nil {
		return false
	}
	q := qs.question(host)
	select {
	case <-q.seen:
		return q.held
	case <-qs.ctx.Done():
		return false
	}
}

// Pass waits for the user's answer, and reports whether a connection to a host may continue.
func (qs *Questions) Pass(host string) bool {
	if qs == nil {
		return false
	}
	q := qs.question(host)
	select {
	case <-q.answered:
		return q.allowed
	case <-qs.ctx.Done():
		return false
	}
}

// question returns the open question about a host, or starts a new one.
func (qs *Questions) question(host string) *question {
	qs.mu.Lock()
	q, asked := qs.open[host]
	if !asked {
		q = &question{seen: make(chan struct{}), answered: make(chan struct{})}
		qs.open[host] = q
	}
	qs.mu.Unlock()
	if !asked {
		qs.ask(qs.ctx, host, func(a Answer) { qs.answer(host, q, a) })
	}
	return q
}

// answer handles an answer to a question. It is never called concurrently for one question.
func (qs *Questions) answer(host string, q *question, a Answer) {
	if !q.held {
		q.held = a != Refused
		defer close(q.seen)
	}
	if a == Held {
		return
	}
	if q.allowed = a == Allowed; q.allowed {
		qs.allow(host)
	}
	qs.mu.Lock()
	delete(qs.open, host)
	qs.mu.Unlock()
	close(q.answered)
}
