package consent

import (
	"context"
	"sync/atomic"

	"goated/internal/config"
	"goated/internal/sandbox"
)

// A PendingQuestion asks about a permission while a call waits for the answer. If the user takes
// longer than the call can wait, the question stays open, and its answer counts as late.
type PendingQuestion struct {
	// Ask asks the user and blocks until the answer. It calls seen when the question becomes
	// visible.
	Ask func(seen func()) (allow bool)
	// Late is called if the user answers yes after the call has gone on without the permission.
	Late func()
	// Over is called if the call stops waiting while the question is still open. It may be nil.
	Over func()
}

// Wait runs Ask on a goroutine that it starts with start, and returns the answer. It returns false
// if ctx ends first. It calls held when the question becomes visible.
func (q PendingQuestion) Wait(ctx context.Context, start func(func()), held func()) bool {
	seen, answers := make(chan struct{}), make(chan bool, 1)
	var settled atomic.Bool
	start(func() {
		allow := q.Ask(func() { close(seen) })
		switch {
		case settled.CompareAndSwap(false, true):
			answers <- allow
		case allow:
			q.Late()
		}
	})
	for {
		select {
		case <-seen:
			seen = nil
			held()
		case allow := <-answers:
			return allow
		case <-ctx.Done():
			if !settled.CompareAndSwap(false, true) {
				return <-answers
			}
			if q.Over != nil {
				q.Over()
			}
			return false
		}
	}
}

// MayHold reports whether to ask the user about p while a call waits. It returns false if kept, the
// server's settings entry, refuses p, if the question is already open, or if the server has reached
// the limit of questions. Call Held when the user sees the question, and Answered after the answer.
func (r *Requests) MayHold(server string, kept config.Launch, p sandbox.Permission) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.serverRequest(server)
	return !kept.Refused.Has(p) && !had.open.Has(p) && (had.lacked.Has(p) || r.MaxAsked == 0 || len(had.lacked) < r.MaxAsked)
}

// Held records that the user sees the question about p, so that [Requests.Ask] does not ask about p
// again.
func (r *Requests) Held(server string, p sandbox.Permission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.serverRequest(server)
	had.lacked, had.asked, had.open = had.lacked.With(p), had.asked.With(p), had.open.With(p)
}

// Answered records that the question about p is no longer open.
func (r *Requests) Answered(server string, p sandbox.Permission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.serverRequest(server)
	had.open = had.open.Without(p)
}
