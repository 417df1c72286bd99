package chatcmd

import (
	"context"
	"iter"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
)

// wordy is a model that writes summaries as long as its answers.
type wordy struct{}

func (wordy) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		yield(&genai.GenerateContentResponse{
			Candidates:    []*genai.Candidate{{Content: genai.NewContentFromText(strings.Repeat("many words ", 400), genai.RoleModel), FinishReason: genai.FinishReasonStop}},
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 10, CandidatesTokenCount: 10},
		}, nil)
	}
}

// The terminal printed "Nothing to send" if there was nothing to summarise, or if the summary was
// too long.
func TestCompactSaysWhyItUsesNoSummary(t *testing.T) {
	var said strings.Builder
	talk := &Talk{Session: &agent.Session{Model: wordy{}}, Out: &said}
	for _, want := range []string{"There is nothing to summarise yet.\n", "The summary is no shorter than the earlier messages, so goated does not use it. The model gets the messages as before.\n"} {
		said.Reset()
		talk.Run(t.Context(), "/compact")
		if said.String() != want {
			t.Errorf("%q, want %q", said.String(), want)
		}
		talk.Session.Restore([]*genai.Content{
			genai.NewContentFromText("one", genai.RoleUser), genai.NewContentFromText("yes", genai.RoleModel),
			genai.NewContentFromText("two", genai.RoleUser), genai.NewContentFromText("yes", genai.RoleModel),
		})
	}
}
