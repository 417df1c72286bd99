package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/registry"
)

// execute runs the calls of one content in parallel and returns one response for
// each, in their order. No call runs before the caller has seen all of them.
func (t *turn) execute(ctx context.Context, calls []*genai.FunctionCall) []*genai.Part {
	if t.asking == nil {
		t.asking = make(chan struct{}, 1)
	}
	runs := make([]*run, len(calls))
	for i, c := range calls {
		t.calls++
		r := &run{
			session: t.Session,
			call:    ToolCalled{ID: fmt.Sprintf("call-%d", t.calls), Name: c.Name, Args: maps.Clone(c.Args), At: time.Now()},
		}
		if r.entry, r.unknown = t.Tools.Lookup(c.Name); r.unknown == nil {
			r.call.Server, r.call.Tool = r.entry.Server, r.entry.Tool.Name
		}
		runs[i] = r
		t.emit(r.call)
	}

	events := make(chan Event)
	var wg sync.WaitGroup
	for _, r := range runs {
		wg.Go(func() { r.do(ctx, events) })
	}
	go func() { // ends when all runs have ended
		wg.Wait()
		close(events)
	}()
	for e := range events {
		t.emit(e)
	}

	parts := make([]*genai.Part, len(calls))
	for i, c := range calls {
		parts[i] = respond(c, runs[i].returned)
	}
	return parts
}

// A run is one call in execution.
type run struct {
	session  *Session
	call     ToolCalled
	entry    registry.Entry
	unknown  error        // why there is no entry; nil if there is one
	returned ToolReturned // valid when do has returned
}

func (r *run) do(ctx context.Context, events chan<- Event) {
	r.returned = ToolReturned{ID: r.call.ID}
	if err := r.perform(ctx, events); err != nil {
		r.returned.Error = err.Error()
		_ = errors.As(err, &r.returned.Refusal) // stays empty for other errors
	}
	events <- r.returned
}

// perform runs the call if it may run.
func (r *run) perform(ctx context.Context, events chan<- Event) error {
	if r.unknown != nil {
		return r.unknown
	}
	decided, err := r.decide(ctx)
	if err != nil {
		return err
	}
	began := time.Now() // without the time that the user took to decide
	if decided.Decision != Deny {
		decided.At = began
	}
	events <- decided
	if decided.Decision == Deny {
		if !decided.Asked {
			return NoApprover
		}
		return CallDenied
	}
	if ctx.Err() != nil {
		return CallCancelled
	}
	result, err := r.session.Tools.Call(ctx, r.call.Name, r.call.Args, func(p *mcp.ProgressNotificationParams) {
		events <- ToolProgressed{ID: r.call.ID, Progress: p.Progress, Total: p.Total, Message: p.Message}
	})
	r.returned.Result, r.returned.Duration = result, time.Since(began)
	if err != nil && ctx.Err() != nil {
		return CallCancelled
	}
	return err
}

// decide returns the decision of the policy or of the user. It asks one question at
// a time; an "always" also allows the calls that wait to ask.
func (r *run) decide(ctx context.Context) (ToolDecided, error) {
	decided := ToolDecided{ID: r.call.ID, Decision: AllowOnce}
	policy := r.session.Policy
	if policy != nil && policy.Allows(r.entry) {
		return decided, nil
	}
	if r.session.Approve == nil {
		decided.Decision = Deny
		return decided, nil
	}
	select {
	case r.session.asking <- struct{}{}:
		defer func() { <-r.session.asking }()
	case <-ctx.Done():
		return decided, CallCancelled
	}
	if policy != nil && policy.Allows(r.entry) {
		return decided, nil
	}
	decision, err := r.session.Approve(ctx, r.call)
	switch {
	case ctx.Err() != nil:
		return decided, CallCancelled
	case err != nil:
		return decided, fmt.Errorf("approval of %s: %w", r.call.Name, err)
	}
	if decision == AllowAlways && policy != nil {
		policy.Grant(r.entry)
	}
	decided.Decision, decided.Asked = decision, true
	return decided, nil
}

// A Refusal says why goated did not run a call, or did not wait for its end.
type Refusal string

// The refusals. internal/wording has a sentence for each.
const (
	CallDenied    Refusal = "denied"      // the user did not allow it
	NoApprover    Refusal = "no_approver" // the policy wants an approval, and there is no one to ask
	CallCancelled Refusal = "cancelled"   // the turn was cancelled
)

// Refusals returns every refusal.
func Refusals() []Refusal { return []Refusal{CallDenied, NoApprover, CallCancelled} }

// Error returns the sentence that the model gets.
func (r Refusal) Error() string {
	switch r {
	case CallDenied:
		return "The user did not allow this call."
	case NoApprover:
		return "This call needs the user's approval, but there is no user to ask."
	case CallCancelled:
		return "The call was cancelled."
	}
	return "The call was refused: " + string(r) + "."
}

// errorAttrs returns the attributes of every logged error (seed 003, property 7).
func errorAttrs(kind string, err error) []any {
	return []any{
		slog.String("kind", kind),
		slog.String("message", err.Error()),
		slog.String("stack", string(debug.Stack())),
	}
}
