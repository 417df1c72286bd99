package contents_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/genai"

	"goated/agent/contents"
)

func conversation() []*genai.Content {
	return []*genai.Content{
		genai.NewContentFromText("Find the night train", genai.RoleUser),
		{Role: genai.RoleModel, Parts: []*genai.Part{{Text: "Let me think", Thought: true}, {FunctionCall: &genai.FunctionCall{Name: "web__fetch", Args: map[string]any{"url": "https://example.org"}}}}},
		{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{Name: "web__fetch", Response: map[string]any{"output": strings.Repeat("é", 5000) + "END"}}}}},
		genai.NewContentFromText("It leaves at 20:40.", genai.RoleModel),
	}
}

// A digest contains messages, calls and answers, and the beginning and end of a long result, but no
// thoughts.
func TestDigestHasWhatTheSummaryNeeds(t *testing.T) {
	text := contents.Digest(conversation(), 1<<20)
	for _, want := range []string{"User: Find the night train\n", `Assistant called web__fetch {"url":"https://example.org"}`, "Result of web__fetch: é", "END\n", "Assistant: It leaves at 20:40.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
	if strings.Contains(text, "think") || len(text) > 2000 || !utf8.ValidString(text) {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}

// A digest keeps the end of the conversation within any limit.
func TestDigestKeepsTheEnd(t *testing.T) {
	whole := contents.Digest(conversation(), 1<<20)
	for limit := 1; limit < len(whole); limit++ {
		text := contents.Digest(conversation(), limit)
		if len(text) > limit || !utf8.ValidString(text) || limit > 40 && !strings.HasSuffix(text, "It leaves at 20:40.\n") {
			t.Fatalf("limit %d: %q", limit, text)
		}
	}
}

func TestRespondsTellsResultsFromMessages(t *testing.T) {
	result := genai.NewPartFromFunctionResponse("x", map[string]any{"output": "1"})
	for _, c := range []struct {
		parts []*genai.Part
		want  bool
	}{
		{nil, false},
		{[]*genai.Part{genai.NewPartFromText("hello")}, false},
		{[]*genai.Part{genai.NewPartFromFunctionCall("x", nil)}, false},
		{[]*genai.Part{result}, true},
		{[]*genai.Part{genai.NewPartFromText("and"), result}, true},
	} {
		if got := contents.IsResponse(&genai.Content{Role: genai.RoleUser, Parts: c.parts}); got != c.want {
			t.Errorf("%v: %v", c.parts, got)
		}
	}
}
