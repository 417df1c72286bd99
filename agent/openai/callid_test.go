package openai

import (
	"testing"

	"google.golang.org/genai"

	"goated/internal/lazyregexp"
)

// Mistral's models get IDs that they accept, also for calls that another model made. Other models get each
// ID unchanged. A response has the ID of its call.
func TestIDsOfCalls(t *testing.T) {
	history := []*genai.Content{genai.NewContentFromText("go", genai.RoleUser)}
	for _, ids := range [][]string{{"call_PTLP8xhu3uwZk4l3nlnrrJha", "D681PevKs"}, {"", ""}} {
		call, response := &genai.Content{Role: genai.RoleModel}, &genai.Content{Role: genai.RoleUser}
		for _, id := range ids {
			call.Parts = append(call.Parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: id, Name: "x"}})
			response.Parts = append(response.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: id, Name: "x", Response: map[string]any{"output": "ok"}}})
		}
		history = append(history, call, response)
	}
	accepted := lazyregexp.New(`^[a-zA-Z0-9]{9}$`)
	for from, strict := range map[string]bool{"api.mistral.ai medium": true, "openrouter.ai mistralai/devstral-2": true, "localhost:1 Ministral-8B": true, "api.openai.com gpt-5": false} {
		params, _, _ := translate(history, &genai.GenerateContentConfig{}, from)
		var calls, responses []string
		for _, m := range params.Messages {
			if m.OfAssistant != nil {
				for _, c := range m.OfAssistant.ToolCalls {
					calls = append(calls, c.OfFunction.ID)
				}
			}
			if m.OfTool != nil {
				responses = append(responses, m.OfTool.ToolCallID)
			}
		}
		seen := make(map[string]bool)
		for i, id := range calls {
			if seen[id] || responses[i] != id || strict && !accepted.MatchString(id) {
				t.Errorf("%s: the calls are %q, the responses %q", from, calls, responses)
			}
			seen[id] = true
		}
		if len(calls) != 4 || calls[1] != "D681PevKs" || !strict && calls[0] != "call_PTLP8xhu3uwZk4l3nlnrrJha" {
			t.Errorf("%s: the calls are %q", from, calls)
		}
	}
}
