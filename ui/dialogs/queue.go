// Package dialogs shows the questions that goroutines put to the user, one at a
// time. It owns the queue and the sheets of the questions that agent and client
// ask; any other question brings its own sheet. It knows no page.
package dialogs

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/shell"
)

// A Queue holds the questions that wait for the user, the first of which
// is shown. Its methods are safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	queue   []*queued
	changed func() // tells the window; nil while there is none
	closed  bool
}

// A queued question waits for its answer.
type queued struct {
	shell.Question
	answer chan any // of one
}

// Approve asks whether a tool may run. It is an [agent.Approve].
func (d *Queue) Approve(ctx context.Context, call agent.ToolCalled) (agent.Decision, error) {
	answer, err := d.Put(ctx, Approval(call))
	if err != nil {
		return agent.Deny, err
	}
	decision, _ := answer.(agent.Decision)
	return decision, nil
}

// Ask has the user complete a tool's arguments in a form. It is an [agent.Ask].
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

// Elicit asks on behalf of a server, whose name it shows. It fits
// client.Options.
func (d *Queue) Elicit(ctx context.Context, server string, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if p == nil {
		p = &mcp.ElicitParams{}
	}
	answer, err := d.Put(ctx, elicitation{server, p}.question())
	if err != nil {
		return nil, err
	}
	if result, ok := answer.(*mcp.ElicitResult); ok {
		return result, nil
	}
	return &mcp.ElicitResult{Action: "cancel"}, nil
}

// Put queues a question and waits. A nil answer is a cancelled one.
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
		d.settle(q, nil)
		return nil, ctx.Err()
	}
}

// settle answers a question and takes it off the queue. Only the first answer
// counts.
func (d *Queue) settle(q *queued, answer any) {
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

// head is the question to show, and how many wait behind it.
func (d *Queue) head() (q *queued, behind int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) == 0 {
		return nil, 0
	}
	return d.queue[0], len(d.queue) - 1
}

// Watch calls changed after every change of the queue, from any goroutine.
func (d *Queue) Watch(changed func()) {
	d.mu.Lock()
	d.changed = changed
	d.mu.Unlock()
	changed()
}

// Waiting returns the number of questions without an answer, the one that is shown
// included.
func (d *Queue) Waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue)
}

// Close cancels all questions, and those to come.
func (d *Queue) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.changed = true, nil
	for _, q := range d.queue {
		q.answer <- nil
	}
	d.queue = nil
}
