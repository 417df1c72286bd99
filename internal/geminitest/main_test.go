package geminitest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// The genai package depends on opencensus, whose worker never ends.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

const modelID = "gemini-flash-latest"

func newClient(t *testing.T, s *geminitest.Server, key string) *genai.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey:      key,
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  &http.Client{Transport: transport},
		HTTPOptions: genai.HTTPOptions{BaseURL: s.URL},
	})
	if err != nil {
		t.Fatal("no client")
	}
	return client
}

// conversation is a client that sends each part back unchanged, as Gemini requires.
type conversation struct {
	client  *genai.Client
	config  *genai.GenerateContentConfig
	history []*genai.Content
}

func converse(t *testing.T, s *geminitest.Server) *conversation {
	config := &genai.GenerateContentConfig{HTTPOptions: &genai.HTTPOptions{ExtrasRequestProvider: spellOutArgs}}
	return &conversation{client: newClient(t, s, geminitest.DefaultKey), config: config}
}

// spellOutArgs restores the empty args of calls, which encoding/json omits.
func spellOutArgs(body map[string]any) map[string]any {
	data, err := json.Marshal(body["contents"])
	if err != nil {
		return body
	}
	var contents []struct {
		Role  string           `json:"role"`
		Parts []map[string]any `json:"parts"`
	}
	if json.Unmarshal(data, &contents) != nil {
		return body
	}
	for _, c := range contents {
		for _, p := range c.Parts {
			if call, ok := p["functionCall"].(map[string]any); ok && call["args"] == nil {
				call["args"] = map[string]any{}
			}
		}
	}
	out := make([]any, len(contents))
	for i, c := range contents {
		out[i] = map[string]any{"role": c.Role, "parts": c.Parts}
	}
	body["contents"] = out
	return body
}

func say(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleUser) }

// send sends message and appends it and the answer to the history.
func (c *conversation) send(ctx context.Context, message *genai.Content) ([]*genai.GenerateContentResponse, error) {
	c.history = append(c.history, message)
	var chunks []*genai.GenerateContentResponse
	answer := &genai.Content{Role: genai.RoleModel}
	for chunk, err := range c.client.Models.GenerateContentStream(ctx, modelID, c.history, c.config) {
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, chunk)
		if len(chunk.Candidates) > 0 && chunk.Candidates[0].Content != nil {
			answer.Parts = append(answer.Parts, chunk.Candidates[0].Content.Parts...)
		}
	}
	if parts := replayable(answer.Parts); len(parts) > 0 {
		c.history = append(c.history, &genai.Content{Role: genai.RoleModel, Parts: parts})
	}
	return chunks, nil
}

// replayable returns parts without empty texts.
func replayable(parts []*genai.Part) []*genai.Part {
	var kept []*genai.Part
	for _, p := range parts {
		if p.Text != "" || len(p.ThoughtSignature) > 0 || p.FunctionCall != nil {
			kept = append(kept, p)
		}
	}
	return kept
}

func (c *conversation) calls() []*genai.FunctionCall {
	var calls []*genai.FunctionCall
	for _, p := range c.history[len(c.history)-1].Parts {
		if p.FunctionCall != nil {
			calls = append(calls, p.FunctionCall)
		}
	}
	return calls
}

// answers returns responses to the calls of the last turn.
func (c *conversation) answers() *genai.Content {
	content := &genai.Content{Role: genai.RoleUser}
	for _, call := range c.calls() {
		content.Parts = append(content.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{
			ID: call.ID, Name: call.Name, Response: map[string]any{"output": "done"},
		}})
	}
	return content
}
