package agent

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent/contents"
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

	System   string        // system instruction; may be empty
	MaxSteps int           // 0 means DefaultMaxSteps
	Idle     time.Duration // how long a stream may be silent; 0 means DefaultIdle
	Thoughts bool          // ask the model for summaries of its thoughts
	Results  ResultStore   // keeps large results; nil: they are cut
	Budget   int           // largest size of the contents of a request, in bytes; 0 means 800 KiB
	Parallel int           // calls of one server that run at a time; 0 means 16
	Pinned   []string      // qualified names of tools that every request declares
	Logger   *slog.Logger
	Wishes

	memory
}

// Wishes are the user's choices for one conversation. Change them between turns.
type Wishes struct {
	Instructions string // of the user, in addition to System; may be empty
	Manual       bool   // do not summarise a conversation that nearly fills the budget
}

// A memory is what a session knows of its conversation.
type memory struct {
	history      []*genai.Content
	view         view
	declarations declarations
	calls        int                      // numbers the calls of the session
	granted      map[conversationKey]bool // tools that the user allowed in this conversation
	pause        time.Duration            // first delay before a repeated request; 0 means a second
	hasStored    bool                     // a result is stored, so the model gets the functions to read it

	compaction compaction
	switched   string         // the model that answers from the next turn on; empty: the same as before
	last       Usage          // of the last request
	estimate   int            // of the tokens of the last request, by its size
	cut        *genai.Content // the text of an answer that failed, at the end of history; nil: none
	learned    int            // the tokens of the model's context, by its refusal of a larger request; 0: none
}

// History returns the contents of the conversation. Between turns each function call
// has its response, so the model accepts them. A request may leave some of them out or
// shorten them. Do not change the contents.
func (s *Session) History() []*genai.Content { return slices.Clone(s.history) }

// handled reports whether a content names a stored result.
func handled(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool {
		if p.FunctionResponse == nil {
			return false
		}
		_, said := saidOf(p.FunctionResponse)
		return strings.Contains(said, "read_result")
	})
}

// Send sends parts to the model and yields the events of the turn. Without parts
// it continues from the history: after a turn that failed, this retries it. The text that
// came before the failure is left out then; with parts, the model gets it.
//
// The turn ends with [TurnEnded] when
//
//   - the model calls no tool: [Done],
//   - the model still calls tools after MaxSteps requests: [StepLimit],
//   - the model reaches its output limit: [Truncated],
//   - the provider withholds the answer: [Blocked],
//   - ctx ends: [Cancelled], or [Quit] if its cause is [ErrQuit].
//
// It ends with an error, yielded last, when the model fails or gives no usable answer;
// the error is a [*Failure] unless the [Model] has errors of its own. Before that, the
// session waits and asks again where this can help ([RetryScheduled],
// [AnswerDiscarded]). To break out of the loop cancels the turn. The failure of a tool
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
		if len(parts) == 0 {
			s.leaveCut()
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
			t.end(TurnEnded{Reason: stopped(ctx)})
			return
		}
		t.expect(parts)
		if err := t.run(ctx); err != nil && !t.left {
			if s.Logger != nil {
				s.Logger.ErrorContext(ctx, "model request failed", errorAttrs("model error", err)...)
			}
			yield(nil, err)
		}
	}
}

// awaitServers waits for the tools of servers that are starting.
func (t *turn) awaitServers(ctx context.Context) {
	if w, ok := t.Tools.(Waiter); ok {
		for e := range w.Await(ctx) {
			t.emit(e)
		}
	}
}

// expect declares the tools that fit a message, if there are too many to declare all.
func (t *turn) expect(parts []*genai.Part) {
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

// leaveCut leaves the text out that came before a failure: the answer comes again.
func (s *Session) leaveCut() {
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
	if last >= 0 && s.history[last].Role == genai.RoleUser && !contents.Responds(s.history[last]) {
		// The earlier turn got no answer. Join both messages: some models want the
		// roles to alternate.
		s.history[last] = &genai.Content{Role: genai.RoleUser, Parts: slices.Concat(s.history[last].Parts, parts)}
		return nil
	}
	s.history = append(s.history, &genai.Content{Role: genai.RoleUser, Parts: slices.Clone(parts)})
	return nil
}

// lastSent returns the index of the last content that requests have; -1 if they have none. Texts
// before a failure and blocked messages may follow it.
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
	left   bool // the caller broke out of the loop; do not call yield again
	steps  int
	usage  Usage

	searches int        // for tools that the service refuses
	removals int        // of media and signatures that the service refused
	attempts int        // failed requests of this step
	nudges   int        // answers that were discarded
	suspects []suspect  // media that were removed without a certain cause
	shrinks  int        // requests that were larger than the model's context
	crammed  bool       // the model could not summarise the conversation
	asking   sync.Mutex // one question at a time; guards what the session allows, too
}

// emit yields an event. When the caller breaks out of the loop, emit cancels the
// turn, which then ends without further events.
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

// keepText adds the text that the user has read to the history. It leaves out function
// calls and the thoughts around them: nothing will answer the calls.
func (t *turn) keepText(a *answer) {
	if text := a.text(); len(text) > 0 {
		t.history = append(t.history, &genai.Content{Role: genai.RoleModel, Parts: text})
	}
}

// fail keeps the text of an answer that failed, which the user has read.
func (t *turn) fail(a *answer, err error) error {
	before := len(t.history)
	if t.keepText(a); len(t.history) > before {
		t.cut = t.history[before]
	}
	return err
}

// run makes requests until one ends the turn.
func (t *turn) run(ctx context.Context) error {
	nudge := ""
	for {
		a, err := t.generate(ctx, nudge)
		if ctx.Err() != nil {
			t.acquit(false)
			t.keepText(a)
			t.end(TurnEnded{Reason: stopped(ctx)})
			return nil
		}
		if err != nil {
			if len(a.parts) == 0 && (t.waitToRetry(ctx, err) || t.withoutTools(err) || t.shrink(err) || t.isolate(ctx, err) || t.remove(err)) {
				t.steps-- // the same step again
				continue
			}
			t.acquit(false)
			if ctx.Err() != nil {
				t.end(TurnEnded{Reason: stopped(ctx)})
				return nil
			}
			return t.fail(a, err)
		}
		t.acquit(true)
		t.attempts = 0
		v := a.judge()
		switch v.rule {
		case end:
			t.finish(a, v.end)
			return nil
		case repeat:
			if t.nudges++; t.nudges > maxNudges || v.kind == AnswerCut && a.says() || v.blame && !t.unsign() {
				return t.fail(a, a.unusable(v.kind, nameOf(t.Model)))
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
			t.end(TurnEnded{Reason: stopped(ctx)})
			return nil
		}
		if t.steps >= cmp.Or(t.MaxSteps, DefaultMaxSteps) {
			t.end(TurnEnded{Reason: StepLimit})
			return nil
		}
	}
}

// finish ends the turn after an answer that is not complete. A prompt that the provider
// blocked is not sent again.
func (t *turn) finish(a *answer, e TurnEnded) {
	if e.Cause == PromptBlocked {
		t.view.block(t.history[lastSent(t.Session)])
	} else {
		t.keepText(a)
	}
	t.end(e)
}
