package ui

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/config"
)

// Dialogs are the questions that goroutines put to the user, one at a time and
// in the order in which they were asked. Its methods block until there is an
// answer or ctx ends, and are safe for concurrent use. It works before there is
// a window, which then shows what is waiting; once the window is closed, every
// question is cancelled at once.
type Dialogs struct {
	mu      sync.Mutex
	queue   []*question // the first is shown
	changed func()      // tells the window; nil while there is none
	closed  bool

	remember func(config.Launch) // that it may run unconfined; nil while there is no window
}

// A question waits for its answer. kind is one of [agent.ToolCalled],
// [agent.Question], elicitation and begging.
type question struct {
	kind   any
	answer chan any // of one; what it holds depends on kind
}

// An elicitation is a server's question.
type elicitation struct {
	server string
	params *mcp.ElicitParams
}

// NewDialogs returns an empty queue.
func NewDialogs() *Dialogs { return &Dialogs{} }

// Approve asks whether a tool may run. It is an [agent.Approve].
func (d *Dialogs) Approve(ctx context.Context, call agent.ToolCalled) (agent.Decision, error) {
	answer, err := d.ask(ctx, call)
	if err != nil {
		return agent.Deny, err
	}
	decision, _ := answer.(agent.Decision)
	return decision, nil
}

// Ask has the user complete a tool's arguments in a form. It is an [agent.Ask].
func (d *Dialogs) Ask(ctx context.Context, q agent.Question) (map[string]any, error) {
	answer, err := d.ask(ctx, q)
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
func (d *Dialogs) Elicit(ctx context.Context, server string, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if p == nil {
		p = &mcp.ElicitParams{}
	}
	answer, err := d.ask(ctx, elicitation{server, p})
	if err != nil {
		return nil, err
	}
	if result, ok := answer.(*mcp.ElicitResult); ok {
		return result, nil
	}
	return &mcp.ElicitResult{Action: "cancel"}, nil
}

// ask queues a question and waits. A nil answer is a cancelled one.
func (d *Dialogs) ask(ctx context.Context, kind any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q := &question{kind: kind, answer: make(chan any, 1)}
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
func (d *Dialogs) settle(q *question, answer any) {
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
func (d *Dialogs) head() (q *question, behind int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) == 0 {
		return nil, 0
	}
	return d.queue[0], len(d.queue) - 1
}

// watch has changed called after every change of the queue, and remember with
// each server that may run unconfined, from any goroutine.
func (d *Dialogs) watch(changed func(), remember func(config.Launch)) {
	d.mu.Lock()
	d.changed, d.remember = changed, remember
	d.mu.Unlock()
	changed()
}

// close cancels all questions, and those to come.
func (d *Dialogs) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.changed, d.remember = true, nil, nil
	for _, q := range d.queue {
		q.answer <- nil
	}
	d.queue = nil
}
