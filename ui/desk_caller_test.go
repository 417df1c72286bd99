package ui_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
	"goated/ui"
)

// A caller is a model that makes the same calls in one step after each message. It also
// provides the tools that it calls. Change calls only between turns.
type caller struct {
	calls   []agent.Pending
	answers chan []agent.Answer // what the user answered; nil: the question had no answer
}

// calling returns a window with a model that makes calls. The window asks the user about them.
func calling(t *testing.T, o ui.Options, calls ...agent.Pending) (*desk, *caller) {
	t.Helper()
	m := &caller{calls: calls, answers: make(chan []agent.Answer, 10)}
	o.Agent.NewSession = func() *agent.Session {
		s := &agent.Session{Tools: m}
		s.Model = callerOf{m, s}
		if o.Policy != nil {
			s.Policy = &o.Policy.Policy
		}
		return s
	}
	return shown(t, o), m
}

// none reports whether the user has not answered yet.
func (m *caller) none() bool { return len(m.answers) == 0 }

// answer waits for the user's answers and returns them.
func (d *desk) answer(m *caller) []agent.Answer {
	d.T.Helper()
	d.until("the question has its answer", func() bool { return len(m.answers) > 0 })
	return <-m.answers
}

func (m *caller) Tools() iter.Seq[registry.Entry] {
	return func(yield func(registry.Entry) bool) {
		for _, p := range m.calls {
			if !yield(p.Entry) {
				return
			}
		}
	}
}

func (m *caller) Lookup(name string) (registry.Entry, error) {
	i := slices.IndexFunc(m.calls, func(p agent.Pending) bool { return p.Entry.Name == name })
	if i < 0 {
		return registry.Entry{}, errors.New("there is no such tool")
	}
	return m.calls[i].Entry, nil
}

func (m *caller) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
}

// A callerOf is the model of one session of a caller.
type callerOf struct {
	*caller
	session *agent.Session
}

func (m callerOf) Generate(_ context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	var parts []*genai.Part
	if history[len(history)-1].Parts[0].FunctionResponse == nil {
		m.listen()
		for _, p := range m.calls {
			if p.Call.Name != "" { // otherwise it is only listed as a tool
				parts = append(parts, genai.NewPartFromFunctionCall(p.Call.Name, p.Call.Args))
			}
		}
	} else {
		parts = []*genai.Part{genai.NewPartFromText("Finished.")}
	}
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
			Content: &genai.Content{Role: genai.RoleModel, Parts: parts}, FinishReason: genai.FinishReasonStop,
		}}}, nil)
	}
}

// listen passes on the user's answers in this turn.
func (m callerOf) listen() {
	ask := m.session.Approve
	m.session.Approve = func(ctx context.Context, calls []agent.Pending) ([]agent.Answer, error) {
		m.session.Approve = ask
		all, err := ask(ctx, calls)
		if err != nil {
			all = nil
		}
		m.answers <- all
		return all, err
	}
}
