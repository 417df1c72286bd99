package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/exact"
	"goated/registry"
)

// defaultParallel is how many calls of one server run at a time.
const defaultParallel = 16

// execute runs the calls of one content in parallel and returns one response for each, in the same
// order. No call runs before the caller has received all ToolCalled events. The user answers one
// question about all calls that need approval. The other calls run at the same time.
func (t *turn) execute(ctx context.Context, calls []*genai.FunctionCall) []*genai.Part {
	runs := make([]*run, len(calls))
	var ask []*run
	for i, c := range calls {
		r, asks := newRun(t, c)
		if asks {
			ask = append(ask, r)
		}
		runs[i] = r
		t.emit(r.call)
	}
	limitRuns(t, runs)
	runAll(ctx, t, runs, ask)
	for _, r := range runs {
		for _, step := range r.returned.Chain {
			t.usage = t.usage.plus(step.Usage)
		}
	}

	parts := make([]*genai.Part, len(calls))
	for i, c := range calls {
		parts[i] = t.respond(c, runs[i])
		if changed := runs[i].decided.Args; changed != nil {
			parts[i].FunctionResponse.Response["note"] = editedNote(changed)
		}
	}
	return parts
}

// newRun looks up the tool of a call and decides whether the call may run. If only the user can
// decide, asks is true.
func newRun(t *turn, c *genai.FunctionCall) (r *run, asks bool) {
	t.calls++
	r = &run{
		session: t.Session, asking: &t.asking,
		call: ToolCalled{ID: fmt.Sprintf("call-%d", t.calls), Name: c.Name, Args: maps.Clone(c.Args), At: time.Now()},
	}
	r.decided.ID = r.call.ID
	if r.builtin = t.builtin(c.Name); r.builtin != nil {
		r.call.Server, r.call.Tool, r.decided.Decision = "goated", c.Name, AllowOnce
		return r, false
	}
	if r.entry, r.refused = t.Tools.Lookup(c.Name); r.refused != nil {
		return r, false
	}
	r.call.Server, r.call.Tool, r.call.Title = r.entry.Server, r.entry.Tool.Name, registry.Title(r.entry.Tool)
	if f := t.declarations.finder; f != nil && f.activate(&t.declarations, r.entry) {
		t.declarations.tools = nil // keep a called tool declared
	}
	if r.refused = t.declarations.checkCall(t.Results, r.entry, r.call.Args); r.refused != nil {
		return r, false
	}
	if t.allows(r.entry, r.call.Args) {
		r.decided.Decision = AllowOnce
		return r, false
	}
	return r, t.Approve != nil
}

// limitRuns gives all runs of a server the same slots, which limit how many run at a time.
func limitRuns(t *turn, runs []*run) {
	slots := make(map[string]chan struct{})
	for _, r := range runs {
		if r.builtin == nil && r.refused == nil {
			if slots[r.entry.Server] == nil {
				slots[r.entry.Server] = make(chan struct{}, cmp.Or(t.Parallel, defaultParallel))
			}
			r.slots = slots[r.entry.Server]
		}
	}
}

// runAll executes all runs and emits their events until the last one ends. The runs in ask wait for
// the user's decision.
func runAll(ctx context.Context, t *turn, runs, ask []*run) {
	events := make(chan Event)
	var wg sync.WaitGroup
	if len(runs) == 1 && len(ask) == 0 && runs[0].refused == nil {
		t.emit(runs[0].decide()) // saves three goroutine switches
	}
	for _, r := range runs {
		if !slices.Contains(ask, r) {
			wg.Go(func() { r.do(ctx, events) })
		}
	}
	if len(ask) > 0 {
		wg.Go(func() {
			t.ask(ctx, ask)
			for _, r := range ask {
				wg.Go(func() { r.do(ctx, events) })
			}
		})
	}
	go func() { // ends after the last run
		wg.Wait()
		close(events)
	}()
	for e := range events {
		if e != nil {
			t.emit(e)
		}
	}
}

// editedNote returns a note that tells the model with which arguments its call ran.
func editedNote(args map[string]any) string {
	data, err := exact.Encode(args)
	if err != nil {
		return "The user changed the arguments before the call ran."
	}
	return "The user changed the arguments before the call ran. It ran with " + cut(string(data))
}

// A run is one call that execute runs.
type run struct {
	session  *Session
	asking   *sync.Mutex // shared by all runs of the turn
	call     ToolCalled
	entry    registry.Entry // the tool that was approved
	decided  ToolDecided    // the zero Decision denies the call
	refused  error          // why the call cannot run, regardless of decided; nil if it can
	returned ToolReturned   // valid after do returns
	reply    reply          // the result for the model; valid after do returns
	builtin  builtin        // runs instead of a tool; nil for a call of a tool
	slots    chan struct{}  // limits how many calls of the server run at a time

	decisionSent bool          // decide has returned the decision, for the caller
	consented    time.Duration // how long the user took to decide about the chain
}

func (r *run) do(ctx context.Context, events chan<- Event) {
	r.returned = ToolReturned{ID: r.call.ID, NoModel: !CanAnswer(r.session.Model)}
	err := r.perform(ctx, events)
	if err != nil {
		r.returned.Error = err.Error()
		_ = errors.As(err, &r.returned.Refusal) // Refusal stays empty for other errors
	}
	r.reply = replyOf(r.returned)
	if err == nil && !r.returned.NoModel {
		r.returned.Sent, r.returned.Size = immediateBytes(r.session, r.reply.text, r.builtin != nil), len(r.reply.text)
	}
	events <- r.returned
}

// decide sets the time of the decision and returns the decision for the caller.
func (r *run) decide() ToolDecided {
	if r.decisionSent = true; r.decided.Decision != Deny {
		r.decided.At = time.Now()
	}
	return r.decided
}

// perform runs the call if it may run.
func (r *run) perform(ctx context.Context, events chan<- Event) error {
	if r.refused != nil {
		return r.refused
	}
	if r.decided.Decision != Deny && r.slots != nil {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
		}
	}
	ctx, watch := r.watch(ctx) // after the decision, so that the duration excludes the user's time
	if !r.decisionSent {
		events <- r.decide()
		events <- nil // returns only after the caller has saved the decision
	}
	if r.decided.Decision == Deny {
		if !r.decided.Asked {
			return NoApprover
		}
		return CallDenied
	}
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	if r.builtin != nil {
		text, err := r.builtin(r.call.Args)
		r.returned.Duration = watch()
		if err == nil {
			r.returned.Result = &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
		}
		return err
	}
	args, err := r.session.declarations.values(r.session.Results, r.entry, r.call.Args)
	if err != nil {
		return err
	}
	result, err := r.session.Tools.CallEntry(ctx, r.entry, args, func(p *mcp.ProgressNotificationParams) {
		events <- ToolProgressed{ID: r.call.ID, Progress: p.Progress, Total: p.Total, Message: p.Message}
	})
	r.returned.Result = result
	var logged interface{ Logged() []string }
	if errors.As(err, &logged) {
		r.returned.Log = lastLines(logged.Logged())
	}
	if err == nil {
		err = r.chain(ctx, events)
	}
	r.returned.Duration = watch()
	if err != nil && ctx.Err() != nil {
		return cancelled(ctx)
	}
	return err
}

// watch returns a context for the call, and a function that returns how long the call has run. The
// duration excludes the time that the user took to answer questions.
func (r *run) watch(ctx context.Context) (context.Context, func() time.Duration) {
	began, answering := time.Now(), func() time.Duration { return 0 }
	if a, ok := r.session.Tools.(Asker); ok && r.builtin == nil {
		ctx, answering = a.WithUserTime(ctx)
	}
	return ctx, func() time.Duration {
		return max(time.Since(began)-answering()-r.consented, time.Nanosecond) // zero would mean that it did not run
	}
}

// The limits of a server's log in an event.
const (
	maxLogLines = 20
	maxLogLine  = 400 // bytes
)

// lastLines returns the last lines of a log. It truncates long lines.
func lastLines(log []string) []string {
	log = slices.Clone(log[max(len(log)-maxLogLines, 0):])
	for i, line := range log {
		log[i] = strings.ToValidUTF8(line[:min(len(line), maxLogLine)], "")
	}
	return log
}

// A Refusal is the reason why goated did not run a call, or did not wait for its end.
type Refusal string

// The refusals. internal/wording has a sentence for each.
const (
	CallDenied    Refusal = "denied"      // the user did not allow it
	NoApprover    Refusal = "no_approver" // the policy requires approval, and there is no user to ask
	CallCancelled Refusal = "cancelled"   // the turn was cancelled
	CallQuit      Refusal = "quit"        // goated quit

	ArgumentsWrong Refusal = "arguments_wrong" // the arguments do not match the schema; see [ArgumentError]
)

// Error returns the sentence that the model gets.
func (r Refusal) Error() string {
	switch r {
	case CallDenied:
		return "The user did not allow this call."
	case NoApprover:
		return "This call needs the user's approval, but there is no user to ask."
	case CallCancelled, CallQuit:
		return "The call was cancelled."
	case ArgumentsWrong:
		return "The arguments do not fit the tool's schema."
	}
	return "The call was refused: " + string(r) + "."
}

// errorAttrs returns the attributes that every logged error has (seed 003, property 7).
func errorAttrs(kind string, err error) []any {
	return []any{
		slog.String("kind", kind),
		slog.String("message", err.Error()),
		slog.String("stack", string(debug.Stack())),
	}
}
