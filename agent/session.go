package agent

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"slices"

	"google.golang.org/genai"
)

// DefaultMaxSteps is how many requests one turn may make (seed 003).
const DefaultMaxSteps = 10

// A Session is one conversation. Set its fields before the first turn. It is not
// safe for concurrent use: run one turn at a time.
type Session struct {
	Model   Model
	Tools   Tools
	Policy  *Policy // nil: every call needs an approval
	Approve Approve // nil: calls that need an approval are denied

	System   string // system instruction; may be empty
	MaxSteps int    // 0 means DefaultMaxSteps
	Thoughts bool   // ask the model for summaries of its thoughts
	Logger   *slog.Logger

	history []*genai.Content
	calls   int           // numbers the calls of the session
	asking  chan struct{} // holds a token while a question is open
}

// History returns the contents that the model gets. Between turns each function
// call has its response, so the model accepts them. Do not change the contents.
func (s *Session) History() []*genai.Content { return slices.Clone(s.history) }

// Restore replaces the history with one that the model accepts: one that
// [Session.History] returned, or that internal/store rebuilt. The session owns it
// from then on.
func (s *Session) Restore(history []*genai.Content) { s.history = history }

// Send sends parts to the model and yields the events of the turn. Without parts
// it continues from the history: after a turn that failed, this retries it.
//
// The turn ends with [TurnEnded] when
//
//   - the model calls no tool: [Done],
//   - the model still calls tools after MaxSteps requests: [StepLimit],
//   - the model reaches its output limit: [Truncated],
//   - the provider withholds the answer: [Blocked],
//   - ctx ends: [Cancelled].
//
// It ends with an error, yielded last, when the model fails; the error of [Gemini]
// is a [*Failure]. To break out of the loop cancels the turn. The failure of a tool
// does not end the turn; it goes to the model.
//
// At the end of a turn each [ToolCalled] has its [ToolReturned] (a caller that broke
// out of the loop does not see it), each function call in the history has its
// response, and no goroutine is left.
func (s *Session) Send(ctx context.Context, parts ...*genai.Part) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		t := &turn{Session: s, yield: yield, cancel: cancel}
		if err := s.add(parts); err != nil {
			yield(nil, err)
			return
		}
		if err := t.run(ctx); err != nil && !t.left {
			if s.Logger != nil {
				s.Logger.ErrorContext(ctx, "model request failed", errorAttrs("model error", err)...)
			}
			yield(nil, err)
		}
	}
}

// add adds the user's message to the history.
func (s *Session) add(parts []*genai.Part) error {
	last := len(s.history) - 1
	if len(parts) == 0 {
		if last < 0 || s.history[last].Role == genai.RoleModel {
			return ErrNothing
		}
		return nil
	}
	if last >= 0 && s.history[last].Role == genai.RoleUser && !responds(s.history[last]) {
		// The earlier turn got no answer. Join both messages: some models want the
		// roles to alternate.
		s.history[last] = &genai.Content{Role: genai.RoleUser, Parts: slices.Concat(s.history[last].Parts, parts)}
		return nil
	}
	s.history = append(s.history, &genai.Content{Role: genai.RoleUser, Parts: slices.Clone(parts)})
	return nil
}

// responds reports whether content answers function calls.
func responds(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool { return p.FunctionResponse != nil })
}

// A turn is the state of one Send.
type turn struct {
	*Session
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the caller broke out of the loop; do not call yield again
	steps  int
	usage  Usage
}

// emit yields an event. When the caller breaks out of the loop, emit cancels the
// turn, which then ends without further events.
func (t *turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

// end emits e with the totals of the turn.
func (t *turn) end(e TurnEnded) {
	e.Steps, e.Usage = t.steps, t.usage
	t.emit(e)
}

// run makes requests until one ends the turn.
func (t *turn) run(ctx context.Context) error {
	for {
		a, err := t.generate(ctx)
		if ctx.Err() != nil {
			// Keep the text that the user has read. Leave out function calls and the
			// thoughts around them: nothing will answer the calls.
			if text := a.text(); len(text) > 0 {
				t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
			}
			t.end(TurnEnded{Reason: Cancelled})
			return nil
		}
		if err != nil {
			return err
		}
		if e := a.end(); e.Reason != "" {
			if text := a.text(); len(text) > 0 {
				t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
			}
			t.end(e)
			return nil
		}
		if len(a.parts) == 0 {
			t.end(TurnEnded{Reason: Done, Cause: AnswerEmpty})
			return nil
		}
		t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: a.parts})
		calls := a.calls()
		if len(calls) == 0 {
			t.end(TurnEnded{Reason: Done})
			return nil
		}
		t.history = append(t.history, &genai.Content{Role: genai.RoleUser, Parts: t.execute(ctx, calls)})
		if ctx.Err() != nil {
			t.end(TurnEnded{Reason: Cancelled})
			return nil
		}
		if t.steps >= cmp.Or(t.MaxSteps, DefaultMaxSteps) {
			t.end(TurnEnded{Reason: StepLimit})
			return nil
		}
	}
}
