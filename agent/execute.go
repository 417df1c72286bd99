package agent

import (
	"context"
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

// execute runs the calls of one content side by side and returns their
// responses in the order of the calls: exactly one each, whatever happens.
// Nothing runs before all calls are known to the caller.
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
	go func() { // ends with the runs
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

// A run is one call on its way.
type run struct {
	session  *Session
	call     ToolCalled
	entry    registry.Entry
	unknown  error        // why there is no entry
	returned ToolReturned // set when do returns
}

func (r *run) do(ctx context.Context, events chan<- Event) {
	r.returned = ToolReturned{ID: r.call.ID}
	if err := r.perform(ctx, events); err != nil {
		r.returned.Error = err.Error()
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
	began := time.Now() // what a person took to allow it is not the tool's
	if decided.Decision != Deny {
		decided.At = began
	}
	events <- decided
	if decided.Decision == Deny {
		if !decided.Asked {
			return errNobody
		}
		return errDenied
	}
	if ctx.Err() != nil {
		return errCancelled
	}
	result, err := r.session.Tools.Call(ctx, r.call.Name, r.call.Args, func(p *mcp.ProgressNotificationParams) {
		events <- ToolProgressed{ID: r.call.ID, Progress: p.Progress, Total: p.Total, Message: p.Message}
	})
	r.returned.Result, r.returned.Duration = result, time.Since(began)
	if err != nil && ctx.Err() != nil {
		return errCancelled
	}
	return err
}

// decide takes the policy's decision, or a person's. People are asked one
// question at a time, and an "always" counts for those who wait.
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
		return decided, errCancelled
	}
	if policy != nil && policy.Allows(r.entry) {
		return decided, nil
	}
	decision, err := r.session.Approve(ctx, r.call)
	switch {
	case ctx.Err() != nil:
		return decided, errCancelled
	case err != nil:
		return decided, fmt.Errorf("asking whether %s may run: %w", r.call.Name, err)
	}
	if decision == AllowAlways && policy != nil {
		policy.Grant(r.entry)
	}
	decided.Decision, decided.Asked = decision, true
	return decided, nil
}

// A refusal is why a call was not run, in words for the model and the card.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	errDenied    refusal = "The user did not allow this call."
	errNobody    refusal = "This call needs the user's approval, and nobody could be asked."
	errCancelled refusal = "The call was cancelled."
)

// errorAttrs are what every logged error tells (seed 003, property 7).
func errorAttrs(kind string, err error) []any {
	return []any{
		slog.String("kind", kind),
		slog.String("message", err.Error()),
		slog.String("stack", string(debug.Stack())),
	}
}
