package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/exact"
	"goated/internal/store"
)

// A Step is an answer of the model in a saved conversation: text, calls or both.
type Step struct {
	Before []*genai.Content // what the model had received
	Calls  []Request
	Text   string
}

// A Request is a call that a model asks for.
type Request struct {
	Name string // of the tool, qualified
	Args map[string]any
}

// Steps returns the answers of a conversation, the first one first.
func Steps(turns []store.Turn) []Step {
	all := store.Thread{Turns: turns}.History()
	var steps []Step
	for i, c := range all {
		if c.Role != genai.RoleModel || i == 0 || all[i-1].Role != genai.RoleUser {
			continue
		}
		s := Step{Before: all[:i:i]}
		for _, p := range c.Parts {
			switch {
			case p.FunctionCall != nil:
				s.Calls = append(s.Calls, Request{p.FunctionCall.Name, p.FunctionCall.Args})
			case !p.Thought:
				s.Text += p.Text
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// An Answered step is what the current model answers at the same step.
type Answered struct {
	Step
	// Differs says how: other calls, or an answer instead of calls; empty if it does not.
	Differs string
	// Words says that both give an answer, and how its words differ; empty if they are the
	// same, or if Differs says more.
	Words string
}

// Ask gives a model what it had received before the step, and compares what it wants to do.
// The session is new, without a policy, so that no call of a server runs; its first request
// is its last one. It fails as [agent.Session.Send] does.
func (s Step) Ask(ctx context.Context, session *agent.Session, model agent.Model) (Answered, error) {
	session.Policy, session.Approve, session.MaxSteps = nil, nil, 1
	session.Model = nil
	session.Restore(s.Before)
	session.Switch(model) // the signatures belong to the recorded model
	now := Step{Before: s.Before}
	for event, err := range session.Send(ctx) {
		switch e := event.(type) {
		case agent.TextDelta:
			now.Text += e.Text
		case agent.ToolCalled:
			now.Calls = append(now.Calls, Request{e.Name, e.Args})
		}
		if err != nil {
			return Answered{Step: s}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return Answered{Step: s}, err
	}
	return s.against(now), nil
}

// against compares two answers at the same place.
func (s Step) against(now Step) Answered {
	a := Answered{Step: s}
	was, is := plain(s.Calls), plain(now.Calls)
	switch {
	case !reflect.DeepEqual(was, is):
		a.Differs = fmt.Sprintf("the model now %s, and then it %s", now.does("calls", "answers"), s.does("called", "answered"))
	case len(s.Calls) == 0 && strings.TrimSpace(s.Text) != strings.TrimSpace(now.Text):
		a.Words = difference(strings.TrimSpace(s.Text), strings.TrimSpace(now.Text))
	}
	return a
}

// does says what a step does.
func (s Step) does(calls, answers string) string {
	if len(s.Calls) == 0 {
		text := []rune(strings.TrimSpace(s.Text))
		if len(text) > 80 {
			text = append(text[:79:79], '…')
		}
		return fmt.Sprintf("%s %q", answers, string(text))
	}
	said := make([]string, len(s.Calls))
	for i, c := range s.Calls {
		said[i] = c.String()
	}
	return calls + " " + strings.Join(said, " and ")
}

// String returns the call on one line.
func (r Request) String() string {
	if len(r.Args) == 0 {
		return r.Name
	}
	data, err := json.Marshal(r.Args)
	if err != nil {
		return r.Name
	}
	return r.Name + " " + string(data)
}

// plain returns calls in a form in which equal arguments are equal, whatever read them.
func plain(calls []Request) []any {
	out := make([]any, len(calls))
	for i, c := range calls {
		var args any
		if data, err := json.Marshal(c.Args); err == nil && len(c.Args) > 0 {
			_ = exact.Decode(data, &args) // it was written just now
		}
		out[i] = [2]any{c.Name, args}
	}
	return out
}
