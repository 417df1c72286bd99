package ui

import (
	"context"
	"fmt"
	"iter"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

// A script is a model that does as a test says.
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

// echo says back what was said last.
func echo(_ context.Context, history []*genai.Content, yield func(string, error) bool) {
	last := history[len(history)-1]
	yield("You said: "+last.Parts[len(last.Parts)-1].Text, nil)
}

func sessions(m agent.Model) func() *agent.Session {
	return func() *agent.Session { return &agent.Session{Model: m, Tools: toolless{}} }
}

func (d *desk) idle() bool { return !d.chats.Conversation().Running() }

func press(f fyne.Focusable, key fyne.KeyName) { f.TypedKey(&fyne.KeyEvent{Name: key}) }

type toolless struct{}

func (toolless) Tools() iter.Seq[registry.Entry] { return func(func(registry.Entry) bool) {} }

func (toolless) Lookup(name string) (registry.Entry, error) {
	return registry.Entry{}, fmt.Errorf("there is no tool %s", name)
}

func (toolless) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return nil, errBoom
}
