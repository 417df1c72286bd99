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

// A Session is one conversation. Its fields are set before the first turn. It
// is not safe for concurrent use: one turn at a time.
type Session struct {
	Model   Model
	Tools   Tools
	Policy  *Policy // nil: every call is asked for
	Approve Approve // nil: nobody can be asked, and what would need it is denied

	System   string // system instruction; may be empty
	MaxSteps int    // 0 means DefaultMaxSteps
	Thoughts bool   // ask the model for summaries of its thinking
	Logger   *slog.Logger

	history []*genai.Content
	calls   int           // numbers the calls of the session
	asking  chan struct{} // holds a token while a person is asked
}

// History returns the conversation as the model is told it. Between turns it is
// always one that the model accepts: each function call has its response. The
// contents are not to be changed.
func (s *Session) History() []*genai.Content { return slices.Clone(s.history) }

// Restore makes history the conversation so far. It must be one that the model
// accepts: what [Session.History] gave, or what the store makes of the turns
// that it kept. The session owns it then.
func (s *Session) Restore(history []*genai.Content) { s.history = history }

// Send says parts to the model and yields what follows. Without parts it goes
// on from the history as it is: after a turn that failed, that is a retry.
//
// The turn ends with [TurnEnded] when
//
//   - the model asks for no tool: [Done],
//   - the model was asked MaxSteps times and still calls tools: [StepLimit],
//   - the model's output limit is reached: [Truncated],
//   - the provider withholds the answer: [Blocked],
//   - ctx ends: [Cancelled];
//
// or with an error, which is the model's, and comes last. Breaking out of the
// loop cancels. A tool's failure ends nothing: the model is told.
//
// Whatever ends the turn, every [ToolCalled] has had its [ToolReturned] (unless
// the caller broke off and did not see it), every function call in the history
// has its response, and no goroutine is left.
func (s *Session) Send(ctx context.Context, parts ...*genai.Part) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		t := &turn{Session: s, yield: yield, cancel: cancel}
		if err := s.say(parts); err != nil {
			yield(nil, err)
			return
		}
		if err := t.run(ctx); err != nil && !t.left {
			if s.Logger != nil {
				s.Logger.ErrorContext(ctx, "asking the model", errorAttrs("model error", err)...)
			}
			yield(nil, err)
		}
	}
}

// say adds what the user said to the history.
func (s *Session) say(parts []*genai.Part) error {
	last := len(s.history) - 1
	if len(parts) == 0 {
		if last < 0 || s.history[last].Role == genai.RoleModel {
			return ErrNothing
		}
		return nil
	}
	if last >= 0 && s.history[last].Role == genai.RoleUser && !responds(s.history[last]) {
		// An earlier turn got no answer. Both sayings are one, since some
		// models want the roles to alternate.
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

// A turn is what lives as long as one Send.
type turn struct {
	*Session
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the caller has broken off; yield may not be called again
	steps  int
	usage  Usage
}

// emit yields an event. When the caller breaks off, it cancels the turn, which
// then brings itself to an end in silence.
func (t *turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

func (t *turn) end(reason Reason, detail string) {
	t.emit(TurnEnded{Reason: reason, Detail: detail, Steps: t.steps, Usage: t.usage})
}

// run makes steps until one ends the turn.
func (t *turn) run(ctx context.Context) error {
	for {
		a, err := t.generate(ctx)
		if ctx.Err() != nil {
			// What the user has read stays said. A function call is left out,
			// with everything that was thought around it: nothing will answer it.
			if text := a.text(); len(text) > 0 {
				t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
			}
			t.end(Cancelled, "")
			return nil
		}
		if err != nil {
			return err
		}
		if reason, detail := a.ended(); reason != "" {
			if text := a.text(); len(text) > 0 {
				t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
			}
			t.end(reason, detail)
			return nil
		}
		if len(a.parts) == 0 {
			t.end(Done, "The model answered with nothing.")
			return nil
		}
		t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: a.parts})
		calls := a.calls()
		if len(calls) == 0 {
			t.end(Done, "")
			return nil
		}
		t.history = append(t.history, &genai.Content{Role: genai.RoleUser, Parts: t.execute(ctx, calls)})
		if ctx.Err() != nil {
			t.end(Cancelled, "")
			return nil
		}
		if t.steps >= cmp.Or(t.MaxSteps, DefaultMaxSteps) {
			t.end(StepLimit, "")
			return nil
		}
	}
}
