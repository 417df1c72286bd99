package agent

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"
)

// streamed is a model that answers every request with the same responses, and then with its error,
// if it has one.
type streamed struct {
	responses []*genai.GenerateContentResponse
	err       error
}

func (m streamed) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		for _, r := range m.responses {
			if !yield(r, nil) {
				return
			}
		}
		if m.err != nil {
			yield(nil, m.err)
		}
	}
}

// responding returns a response with a part, a finish reason and a usage whose price is known.
func responding(p *genai.Part, finish genai.FinishReason) *genai.GenerateContentResponse {
	return &genai.GenerateContentResponse{
		ModelVersion:  "gemini-2.5-flash",
		UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 1000, CandidatesTokenCount: 10},
		Candidates:    []*genai.Candidate{{Content: &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{p}}, FinishReason: finish}},
	}
}

// An incomplete answer is not used as a summary or as the answer of a step. Its tokens and their
// cost count.
func TestOnlyWholeAnswersStandAlone(t *testing.T) {
	half := genai.NewPartFromText("The user want")
	for name, m := range map[string]streamed{
		"no end":       {[]*genai.GenerateContentResponse{responding(half, "")}, nil},
		"output limit": {[]*genai.GenerateContentResponse{responding(half, genai.FinishReasonMaxTokens)}, nil},
		"withheld":     {[]*genai.GenerateContentResponse{responding(half, genai.FinishReasonSafety)}, nil},
		"blocked": {[]*genai.GenerateContentResponse{responding(half, ""), {PromptFeedback: &genai.GenerateContentResponsePromptFeedback{
			BlockReason: genai.BlockedReasonSafety}}}, nil},
		"a call":   {[]*genai.GenerateContentResponse{responding(half, ""), responding(genai.NewPartFromFunctionCall("x", nil), genai.FinishReasonStop)}, nil},
		"empty":    {[]*genai.GenerateContentResponse{responding(genai.NewPartFromText(" "), genai.FinishReasonStop)}, nil},
		"an error": {[]*genai.GenerateContentResponse{responding(half, "")}, errors.New("broken")},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Session{Model: m, Tools: tools(nil)}
			s.Restore(slices.Concat(exchange(20_000, 0), exchange(20_000, 0)))
			e, err := s.Compact(t.Context())
			if _, ok := s.Summary(); err == nil || ok {
				t.Errorf("the conversation became %q, %v", e.Summary, err)
			}
			if e.Usage.Total() != 1010 || e.Usage.Cost == 0 {
				t.Errorf("the summary used %+v", e.Usage)
			}
			text, usage, err := Complete(t.Context(), m, "What?")
			if err == nil || text != "" {
				t.Errorf("the answer is %q, %v", text, err)
			}
			if usage.Total() != 1010 || usage.Cost == 0 {
				t.Errorf("the answer used %+v", usage)
			}
		})
	}
}

// The usage of a turn includes the tokens of an unusable summary.
func TestFailedSummariesCount(t *testing.T) {
	m := streamed{[]*genai.GenerateContentResponse{responding(genai.NewPartFromText("The user want"), genai.FinishReasonMaxTokens)}, nil}
	s := &Session{Model: m, Tools: tools(nil), Budget: 20_000}
	for range 4 {
		s.history = append(s.history, genai.NewContentFromText(strings.Repeat("words ", 800), genai.RoleUser), genai.NewContentFromText("ok", genai.RoleModel))
	}
	events, err := collect(t.Context(), s, "go on")
	if err != nil {
		t.Fatal(err)
	}
	if ended := only[TurnEnded](events); len(ended) != 1 || ended[0].Usage.Total() != 2020 || ended[0].Usage.Cost == 0 {
		t.Errorf("%+v", ended)
	}
}
