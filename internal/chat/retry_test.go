package chat_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
)

// A sequence is a model that answers each request with the next of its functions, and records the
// contents of the last request.
type sequence struct {
	t       *testing.T
	answers []func(yield func(*genai.GenerateContentResponse, error) bool)
	asked   []*genai.Content
}

func (m *sequence) Generate(_ context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	m.asked = slices.Clone(history)
	if len(m.answers) == 0 { // a panic would end parallel tests and leave their temporary folders behind
		m.t.Error("there is a request more than answers")
		return func(yield func(*genai.GenerateContentResponse, error) bool) {
			yield(nil, errors.New("no answer is left"))
		}
	}
	next := m.answers[0]
	m.answers = m.answers[1:]
	return next
}

// parts returns the role and texts of each content.
func parts(history []*genai.Content) (list []string) {
	for _, c := range history {
		said := c.Role
		for _, p := range c.Parts {
			said += ": " + p.Text
			if p.FunctionResponse != nil {
				said += fmt.Sprint(p.FunctionResponse.Response)
			}
		}
		list = append(list, said)
	}
	return list
}

// After a retry that failed, was blocked or was stopped, a reopened conversation sends the same
// request as the one that stayed open.
func TestFailedRetryIsRestoredAsSent(t *testing.T) {
	type yield = func(*genai.GenerateContentResponse, error) bool
	answer := func(reason genai.FinishReason, text string) func(yield) {
		return func(y yield) {
			y(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: says(text), FinishReason: reason}}}, nil)
		}
	}
	fails := func(y yield) { y(nil, errors.New("the model is down")) }
	blocked := func(y yield) {
		y(&genai.GenerateContentResponse{PromptFeedback: &genai.GenerateContentResponsePromptFeedback{BlockReason: "SAFETY"}}, nil)
	}
	calling := func(y yield) {
		y(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: calls(), FinishReason: genai.FinishReasonStop}}}, nil)
	}
	half, whole := answer("", "half an answer"), answer(genai.FinishReasonStop, "whole")
	for name, answers := range map[string][]func(yield){
		"failed":                      {half, fails},
		"failed twice":                {half, half, fails},
		"cut twice":                   {half, half},
		"blocked":                     {half, blocked},
		"failed, then blocked":        {fails, blocked},
		"blocked after a result":      {calling, half, blocked},
		"failed after a result":       {calling, half, fails},
		"answered after it failed":    {half, fails, whole},
		"blocked after another cut":   {half, half, blocked},
		"a first message was blocked": {blocked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, filepath.Join(t.TempDir(), "history.db"))
			m := &sequence{t: t, answers: append([]func(yield){whole}, append(answers, whole, whole)...)}
			session := &agent.Session{Tools: tool(func() {}), Model: m, Policy: &agent.Policy{AllowAll: true}}
			var id chat.Identity
			parent := ""
			run := func(parts ...*genai.Part) {
				turn := chat.Turn{Session: session, History: s, Conversation: &id, Parent: parent, Parts: parts, OnBegin: func(id, _ string) { parent = id }}
				for range turn.Run(t.Context()) {
				}
			}
			run(&genai.Part{Text: "hello"})
			run(&genai.Part{Text: "go"})
			for range answers {
				if len(m.answers) > 2 { // an answer with calls is not the last one of its turn
					run()
				}
			}
			thread, err := s.Thread(t.Context(), id.ID())
			if err != nil {
				t.Fatal(err)
			}
			restored := &agent.Session{Tools: session.Tools, Model: m, Policy: session.Policy}
			restored.Restore(thread.History(), thread.Marks()...)
			run(&genai.Part{Text: "more"})
			sent := parts(m.asked)
			for range restored.Send(t.Context(), &genai.Part{Text: "more"}) {
			}
			if got := parts(m.asked); !slices.Equal(got, sent) {
				t.Errorf("the opened conversation sends %q, the other sent %q", got, sent)
			}
		})
	}
}
