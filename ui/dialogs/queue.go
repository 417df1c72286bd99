// Package dialogs shows the questions of goroutines to the user, one at a time. It owns the
// queue, and the sheets for the questions of the packages agent, client and oauth. Any other
// question brings its own sheet. The package must not depend on pages.
package dialogs

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/ui/shell"
)

// A Queue holds the questions that wait for the user. A [Sheet] shows the first one. The zero
// value is empty and ready to use. Its methods are safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	queue   []*queued
	changed func() // see Watch; may be nil
	closed  bool
}

// A queued is a question that waits for its answer.
type queued struct {
	shell.Question
	answer chan any // has a buffer of 1

	since  time.Time // when the window first saw it; zero: it has not yet
	behind bool      // it waits until the user has answered a question of a conversation
}

// Ask shows a form for a tool's arguments, and blocks until the user answers or ctx ends. If the
// user cancels, the error is [agent.ErrDeclined]. Ask is an [agent.Ask].
func (d *Queue) Ask(ctx context.Context, q agent.Question) (map[string]any, error) {
	answer, err := d.Put(ctx, argumentsOf(q))
	if err != nil {
		return nil, err
	}
	args, ok := answer.(map[string]any)
	if !ok {
		return nil, agent.ErrDeclined
	}
	return args, nil
}

// Elicit asks on behalf of a server and shows its name. It blocks until the user answers or ctx
// ends. It has the type that client.Options needs.
func (d *Queue) Elicit(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if p == nil {
		p = &mcp.ElicitParams{}
	}
	answer, err := d.Put(ctx, elicitation{from, p}.question())
	if err != nil {
		return nil, err
	}
	if result, ok := answer.(*mcp.ElicitResult); ok {
		return result, nil
	}
	return &mcp.ElicitResult{Action: "cancel"}, nil
}

// Put queues a question and blocks until the user answers or ctx ends. The
// answer is nil if the user cancels or the queue is closed.
func (d *Queue) Put(ctx context.Context, question shell.Question) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q := &queued{Question: question, answer: make(chan any, 1)}
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil, nil
	}
	d.queue = append(d.queue, q)
	changed := d.changed
	d.mu.Unlock()
	if changed != nil {
		changed()
	}
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-ctx.Done():
		d.resolve(q, nil)
		return nil, ctx.Err()
	}
}

// resolve removes a question from the queue and answers it. It drops later
// answers.
func (d *Queue) resolve(q *queued, answer any) {
	d.mu.Lock()
	i := slices.Index(d.queue, q)
	if i >= 0 {
		d.queue = slices.Delete(d.queue, i, i+1)
		q.answer <- answer
	}
	changed := d.changed
	d.mu.Unlock()
	if i >= 0 && changed != nil {
		changed()
	}
}

// first returns the question to show, or nil if there is none. It prefers the question on the
// screen, which may contain input. Otherwise it returns the first question that is neither
// deferred nor behind another.
func (d *Queue) first(shown *queued) *queued {
	d.mu.Lock()
	defer d.mu.Unlock()
	if shown != nil && !shown.behind && slices.Contains(d.queue, shown) {
		return shown
	}
	for _, q := range d.queue {
		if !q.Deferred && !q.behind {
			return q
		}
	}
	return nil
}

// list returns the questions that are not deferred. If deferred is true, it returns those that
// are deferred or behind another. It stamps new questions with now.
func (d *Queue) list(deferred bool, now time.Time) (all []*queued) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.queue {
		if q.since.IsZero() {
			q.since = now
		}
		if deferred && q.behind || q.Deferred == deferred {
			all = append(all, q)
		}
	}
	return all
}

// putBehind puts the questions that are not deferred behind those of the conversations. If on is
// false, it brings them back.
func (d *Queue) putBehind(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.queue {
		q.behind = on && !q.Deferred
	}
}

// call brings back a question that was deferred or put behind another. It reports whether the
// question still waits.
func (d *Queue) call(q *queued) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	q.Deferred, q.behind = false, false
	return slices.Contains(d.queue, q)
}

// Deferred returns the number of questions that wait until [Queue.Release]: the deferred ones,
// and those that the user put behind another.
func (d *Queue) Deferred() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.queue {
		if q.Deferred || q.behind {
			n++
		}
	}
	return n
}

// Release shows the questions that are deferred or behind another.
func (d *Queue) Release() {
	d.mu.Lock()
	for _, q := range d.queue {
		q.Deferred, q.behind = false, false
	}
	changed := d.changed
	d.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// Watch calls changed now and after each change of the queue. The calls may come from any
// goroutine.
func (d *Queue) Watch(changed func()) {
	d.mu.Lock()
	d.changed = changed
	d.mu.Unlock()
	changed()
}

// Waiting returns the number of open questions, including the shown one.
func (d *Queue) Waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue)
}

// Close cancels all current and future questions.
func (d *Queue) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.changed = true, nil
	for _, q := range d.queue {
		q.answer <- nil
	}
	d.queue = nil
}
