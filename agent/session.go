package agent

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// DefaultMaxSteps is how many requests a turn may make by default (seed 003).
const DefaultMaxSteps = 10

// A Session is one conversation. Set its fields before the first turn. It is not
// safe for concurrent use: run one turn at a time.
type Session struct {
	Model   Model
	Tools   Tools
	Policy  *Policy // nil: every call needs an approval
	Approve Approve // nil: calls that need an approval are denied

	System   string        // system instruction; may be empty
	MaxSteps int           // 0 means DefaultMaxSteps
	Idle     time.Duration // how long a stream may be silent; 0 means DefaultIdle
	Thoughts bool          // ask the model for summaries of its thoughts
	Results  ResultStore   // stores large results; nil: large results are cut
	Budget   int           // largest size of the contents of a request, in bytes; 0 means 800 KiB
	Parallel int           // how many calls of one server run at a time; 0 means 16
	Pinned   []string      // qualified names of tools that every request declares
	Logger   *slog.Logger
	Preferences

	conversationState
}

// Preferences are the user's choices for one conversation. Change them between turns.
type Preferences struct {
	Instructions string // the user's, in addition to System; may be empty
	Manual       bool   // do not summarise automatically when the conversation nearly fills the budget
}

// A conversationState is the state of a session's conversation.
type conversationState struct {
	history      []*genai.Content
	view         view
	declarations declarations
	calls        int                      // counts the calls of the session, for their IDs
	granted      map[conversationKey]bool // tools that the user allowed in this conversation
	pause        time.Duration            // first delay before a retry; 0 means a second
	hasStored    bool                     // a result is stored, so requests declare the functions to read it

	compaction compaction
	switched   string         // the name of a new model that answers from the next turn on; empty: no change
	last       Usage          // of the last request
	estimate   int            // tokens of the last request, estimated from its size
	cut        *genai.Content // the text of a failed answer at the end of history; nil: none
	learned    int            // the model's context in tokens, learned from the refusal of a larger request; 0: unknown
}

// History returns the contents of the conversation. Between turns, each function call has its
// response, so the model accepts the history. A request may leave out or shorten some of the
// contents. Do not change them.
func (s *Session) History() []*genai.Content { return slices.Clone(s.history) }

// hasStoredResult reports whether a content refers to a stored result.
func hasStoredResult(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool {
		if p.FunctionResponse == nil {
			return false
		}
		_, said := responseText(p.FunctionResponse)
		return strings.Contains(said, "read_result")
	})
}

// Send sends parts to the model and yields the events of the turn. Without parts it continues from
// the history, which retries a turn that failed. The request then leaves out the text that came
// before the failure. With parts, it includes that text.
//
// The turn ends with [TurnEnded] when
//
//   - the model calls no tool: [Done],
//   - the model still calls tools after MaxSteps requests: [StepLimit],
//   - the model reaches its output limit: [Truncated],
//   - the provider withholds the answer: [Blocked],
//   - ctx ends: [Cancelled], or [Quit] if its cause is [ErrQuit].
//
// It ends with an error, yielded last, if the model fails or gives no usable answer. The error is a
// [*Failure] unless the [Model] returns other errors. Before that, the session waits and asks again
// if that can help ([RetryScheduled], [AnswerDiscarded]). Breaking out of the loop cancels the
// turn. If a tool fails, the turn goes on, and the model gets the error.
//
// At the end of a turn, each [ToolCalled] has its [ToolReturned], although a caller that broke out
// of the loop does not see it. Each function call in the history has its response, and no goroutine
// is left.
func (s *Session) Send(ctx context.Context, parts ...*genai.Part) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		t := &turn{Session: s, yield: yield, cancel: cancel}
		if len(parts) == 0 {
			s.omitCutAnswer()
		}
		before := len(s.visible())
		if err := s.add(parts); err != nil {
			yield(nil, err)
			return
		}
		if s.switched != "" {
			t.emit(ModelSwitched{Model: s.switched, Contents: before})
			s.switched = ""
		}
		if t.awaitServers(ctx); ctx.Err() != nil {
			t.end(TurnEnded{Reason: stopReason(ctx)})
			return
		}
		t.declareMatching(parts)
		if err := t.run(ctx); err != nil && !t.left {
			if s.Logger != nil {
				s.Logger.ErrorContext(ctx, "model request failed", errorAttrs("model error", err)...)
			}
			yield(nil, err)
		}
	}
}

// awaitServers waits until the tools of starting servers are available.
func (t *turn) awaitServers(ctx context.Context) {
	if w, ok := t.Tools.(Waiter); ok {
		for e := range w.Await(ctx) {
			t.emit(e)
		}
	}
}

// declareMatching declares the tools that match the words of a message, if there are too many to declare
// all.
func (t *turn) declareMatching(parts []*genai.Part) {
	t.prepare()
	if t.declarations.finder == nil {
		return
	}
	for _, p := range parts {
		if p.Text != "" {
			t.declarations.finder.search(&t.declarations, p.Text, likelyTools)
		}
	}
}

// omitCutAnswer omits the text of a failed answer from requests, because the model answers again.
func (s *Session) omitCutAnswer() {
	if last := len(s.history) - 1; last >= 0 && s.cut == s.history[last] {
		s.view.omit(s.cut)
	}
	s.cut = nil
}

// add adds the user's message to the history.
func (s *Session) add(parts []*genai.Part) error {
	last := lastSent(s)
	if len(parts) == 0 {
		if last < 0 || s.history[last].Role == genai.RoleModel {
			return ErrNothing
		}
		return nil
	}
	if last >= 0 && s.history[last].Role == genai.RoleUser && !contents.IsResponse(s.history[last]) {
		// The earlier turn got no answer. Join both messages, because some models require the roles
		// to alternate.
		s.history[last] = &genai.Content{Role: genai.RoleUser, Parts: slices.Concat(s.history[last].Parts, parts)}
		return nil
	}
	s.history = append(s.history, &genai.Content{Role: genai.RoleUser, Parts: slices.Clone(parts)})
	return nil
}

// lastSent returns the index of the last content that requests contain, or -1 if there is none. The
// texts of failed answers and blocked messages may follow it.
func lastSent(s *Session) int {
	last := len(s.history) - 1
	for last >= 0 && s.view.omits(s.history[last]) {
		last--
	}
	return last
}

// A turn is the state of one Send.
type turn struct {
	*Session
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the caller broke out of the loop, so yield must not be called again
	steps  int
	usage  Usage

	searches int        // searches for tools that the service refuses
	removals int        // removals of media and signatures that the service refused
	attempts int        // failed requests of this step
	nudges   int        // answers that were discarded
	suspects []suspect  // media that were removed although they may not be the cause
	shrinks  int        // refused requests that were larger than the model's context
	crammed  bool       // summarising the conversation failed
	asking   sync.Mutex // allows one question at a time; also guards granted
}

// emit yields an event. If the caller breaks out of the loop, emit cancels the turn, which then
// ends without further events.
func (t *turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

// tell emits an event and reports whether the caller wants more.
func (t *turn) tell(e Event) bool {
	t.emit(e)
	return !t.left
}

// end emits e with the totals of the turn.
func (t *turn) end(e TurnEnded) {
	e.Steps, e.Usage = t.steps, t.usage
	t.emit(e)
}

// keepText adds the text of an incomplete answer, which the user has read, to the history. It
// leaves out function calls and the thoughts around them, because the calls will never get
// responses.
func (t *turn) keepText(a *answer) {
	if text := a.text(); len(text) > 0 {
		t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
	}
}

// fail adds the text of a failed answer to the history, because the user has read it. It returns
// err.
func (t *turn) fail(a *answer, err error) error {
	before := len(t.history)
	if t.keepText(a); len(t.history) > before {
		t.cut = t.history[before]
	}
	return err
}

// run makes requests until an answer, a failure or a limit ends the turn.
func (t *turn) run(ctx context.Context) error {
	nudge := ""
	for {
		a, err := t.generate(ctx, nudge)
		if ctx.Err() != nil {
			t.resolveSuspects(false)
			t.keepText(a)
			t.end(TurnEnded{Reason: stopReason(ctx)})
			return nil
		}
		if err != nil {
			if t.canRepeat(ctx, a, err) {
				t.steps-- // the same step again
				continue
			}
			t.resolveSuspects(false)
			if ctx.Err() != nil {
				t.end(TurnEnded{Reason: stopReason(ctx)})
				return nil
			}
			return t.fail(a, err)
		}
		t.resolveSuspects(true)
		t.attempts = 0
		v := a.judge()
		switch v.rule {
		case end:
			t.finish(a, v.end)
			return nil
		case repeat:
			if t.nudges++; t.nudges > maxNudges || v.kind == AnswerCut && a.hasText() || v.blame && !t.unsign() {
				return t.fail(a, a.unusableError(v.kind, modelName(t.Model)))
			}
			nudge = v.nudge
			t.emit(AnswerDiscarded{Kind: v.kind, Code: string(a.finish)})
			continue
		}
		nudge = ""
		t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: a.parts})
		calls := a.calls()
		if len(calls) == 0 {
			t.end(TurnEnded{Reason: Done})
			return nil
		}
		t.history = append(t.history, &genai.Content{Role: genai.RoleUser, Parts: t.execute(ctx, calls)})
		if ctx.Err() != nil {
			t.end(TurnEnded{Reason: stopReason(ctx)})
			return nil
		}
		if t.steps >= cmp.Or(t.MaxSteps, DefaultMaxSteps) {
			t.end(TurnEnded{Reason: StepLimit})
			return nil
		}
	}
}

// canRepeat reports whether to send a failed request again, and prepares that: it waits, or leaves out
// what the service refused. A user who has seen only thoughts has read nothing of the answer yet.
func (t *turn) canRepeat(ctx context.Context, a *answer, err error) bool {
	if len(a.parts) == 0 {
		return t.waitToRetry(ctx, err) || t.withoutTools(err) || t.shrink(err) || t.isolate(ctx, err) || t.removeRefused(err)
	}
	var f *Failure
	if a.hasText() || !errors.As(err, &f) || !t.waitToRetry(ctx, err) {
		return false
	}
	t.emit(AnswerDiscarded{Kind: f.Kind})
	return true
}

// finish ends the turn after an incomplete answer. If the provider blocked the prompt, later
// requests leave it out.
func (t *turn) finish(a *answer, e TurnEnded) {
	if e.Cause == PromptBlocked {
		t.view.block(t.history[lastSent(t.Session)])
	} else {
		t.keepText(a)
	}
	t.end(e)
}
