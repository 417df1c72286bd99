package ui_test

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

// A script is a model that does what a test says.
type script func(ctx context.Context, history []*genai.Content, yield func(string, error) bool)

func (s script) Generate(ctx context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		on := true
		s(ctx, history, func(text string, err error) bool {
			if !on {
				return false
			}
			if err != nil {
				on = yield(nil, err)
				return on
			}
			on = yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
				Content: genai.NewContentFromText(text, genai.RoleModel), FinishReason: genai.FinishReasonStop,
			}}, ModelVersion: "gemini-2.5-flash", UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 900, CandidatesTokenCount: 100}}, nil)
			return on
		})
	}
}

// echo answers with the message.
func echo(_ context.Context, history []*genai.Content, yield func(string, error) bool) {
	last := history[len(history)-1]
	yield("You said: "+last.Parts[len(last.Parts)-1].Text, nil)
}

// sessions are sessions without tools that a script answers.
func sessions(s script) func() *agent.Session {
	return func() *agent.Session { return &agent.Session{Model: s, Tools: noTools{}} }
}

type noTools struct{}

func (noTools) Tools() iter.Seq[registry.Entry] { return func(func(registry.Entry) bool) {} }

func (noTools) Lookup(name string) (registry.Entry, error) {
	return registry.Entry{}, fmt.Errorf("there is no tool %s", name)
}

func (noTools) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return nil, errors.New("there are no tools")
}
