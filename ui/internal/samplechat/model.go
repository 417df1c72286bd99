// Package samplechat contains conversations for the tests of the window, a scripted model that
// answers in them, and servers in each state. Only tests import it.
package samplechat

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

// A Model is a model whose answers a test controls. It yields parts of its answer, or an error.
type Model func(ctx context.Context, history []*genai.Content, yield func(string, error) bool)

// Generate implements agent.Model.
func (m Model) Generate(ctx context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		on := true
		m(ctx, history, func(text string, err error) bool {
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

// Echo answers with the message.
func Echo(_ context.Context, history []*genai.Content, yield func(string, error) bool) {
	last := history[len(history)-1]
	yield("You said: "+last.Parts[len(last.Parts)-1].Text, nil)
}

// Sessions returns a function that creates sessions with the model and without tools.
func Sessions(m agent.Model) func() *agent.Session {
	return func() *agent.Session { return &agent.Session{Model: m, Tools: noTools{}} }
}

type noTools struct{}

func (noTools) Tools() iter.Seq[registry.Entry] { return func(func(registry.Entry) bool) {} }

func (noTools) Lookup(name string) (registry.Entry, error) {
	return registry.Entry{}, fmt.Errorf("there is no tool %s", name)
}

func (noTools) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return nil, errors.New("there are no tools")
}
