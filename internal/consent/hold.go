package consent

import (
	"context"
	"sync/atomic"

	"goated/internal/config"
	"goated/internal/sandbox"
)

// A PendingQuestion is a question about a permission while a call waits for the answer. The call waits
// shorter than people: then the question stays open, and its answer is a late one.
type PendingQuestion struct {
	// Ask asks the user, and blocks until the answer. It calls seen when the question is visible.
	Ask func(seen func()) (allow bool)
	// Late gets a yes after the call went on without the permission.
	Late func()
	// Over is called when the call no longer waits, and the question is still open; may be nil.
	Over func()
}

// Wait runs Ask on a goroutine that start begins, and returns the answer. It returns false if
// ctx ends first. It calls held when the question is visible.
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

// MayHold reports whether to ask the user about p while a call waits: unless kept, which is
// the server in the settings, refuses it, the question is open already, or the server has
// asked for much else. Call Held when the user sees the question, and Answered.
func (r *Requests) MayHold(server string, kept config.Launch, p sandbox.Permission) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.of(server)
	return !kept.Refused.Has(p) && !had.open.Has(p) && (had.lacked.Has(p) || r.MaxAsked == 0 || len(had.lacked) < r.MaxAsked)
}

// Held records that the user sees the question about p: without a call that waits, they are
// not asked once more.
func (r *Requests) Held(server string, p sandbox.Permission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.of(server)
	had.lacked, had.asked, had.open = had.lacked.With(p), had.asked.With(p), had.open.With(p)
}

// Answered records that the question about p is no longer open.
func (r *Requests) Answered(server string, p sandbox.Permission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.of(server)
	had.open = had.open.Without(p)
}
