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

// A Step is an answer of the model in a saved conversation: text, calls, or both.
type Step struct {
	Before []*genai.Content // the history that the model had received
	Calls  []Request
	Text   string
}

// A Request is a tool call that a model makes.
type Request struct {
	Name string // qualified name of the tool
	Args map[string]any
}

// Steps returns the answers of the model in a conversation, in order.
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

// An Answered compares the current model's answer with a saved step.
type Answered struct {
	Step
	// Differs describes a difference in the calls: other calls, or an answer instead of calls. It
	// is empty if there is none.
	Differs string
	// Words describes how two text answers differ. It is empty if they are equal, or if Differs is
	// set.
	Words string
}

// Ask sends the history before the step to a model, and compares its answer with the step. The
// session must be new. Ask sets no policy, so that no tool runs, and makes only one request. It
// returns the errors of [agent.Session.Send].
func (s Step) Ask(ctx context.Context, session *agent.Session, model agent.Model) (Answered, error) {
	session.Policy, session.Approve, session.MaxSteps = nil, nil, 1
	session.Model = nil
	session.Restore(s.Before)
	session.SetModel(model) // the signatures belong to the recorded model
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

// against compares the saved answer s with the current answer.
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

// does describes what the model does in a step.
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

// plain normalizes calls so that equal arguments compare as equal, regardless of how they were
// decoded.
func plain(calls []Request) []any {
	out := make([]any, len(calls))
	for i, c := range calls {
		var args any
		if data, err := json.Marshal(c.Args); err == nil && len(c.Args) > 0 {
			_ = exact.Decode(data, &args) // cannot fail: it was just encoded
		}
		out[i] = [2]any{c.Name, args}
	}
	return out
}
