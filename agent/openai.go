package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"google.golang.org/genai"

	"goated/agent/think"
	"goated/agent/wire"
)

// OpenAIOptions say how to reach a service with OpenAI's chat interface: Ollama,
// llama.cpp, LM Studio, vLLM, OpenRouter and others.
type OpenAIOptions struct {
	BaseURL    string // such as http://localhost:11434/v1
	Key        string // empty for local services
	Model      string // a name of the service
	HTTPClient *http.Client
}

// OpenAI is the [Model] behind a service with OpenAI's chat interface. It is safe for
// concurrent use. The errors of requests are a [*Failure]; no error holds the key.
type OpenAI struct {
	client openai.Client
	host   string
	model  string
	key    string
}

// NewOpenAI prepares the model and sends nothing.
func NewOpenAI(o OpenAIOptions) (*OpenAI, error) {
	if !strings.HasPrefix(o.BaseURL, "http://") && !strings.HasPrefix(o.BaseURL, "https://") {
		return nil, fmt.Errorf("the endpoint %q is not a URL; write one such as http://localhost:11434/v1", o.BaseURL)
	}
	if o.Model == "" {
		return nil, fmt.Errorf("no model of %s is chosen", o.BaseURL)
	}
	through := *cmp.Or(o.HTTPClient, &http.Client{})
	if through.CheckRedirect == nil {
		through.CheckRedirect = stay
	}
	return &OpenAI{
		client: openai.NewClient(
			option.WithBaseURL(strings.TrimSuffix(o.BaseURL, "/")+"/"),
			option.WithAPIKey(cmp.Or(o.Key, "none")), // local services take anything
			option.WithMaxRetries(0),                 // the session repeats requests
			option.WithHTTPClient(&through),
		),
		host: hostOf(o.BaseURL), model: o.Model, key: o.Key,
	}, nil
}

// hostOf returns the host of an address.
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// Name is the model's name.
func (m *OpenAI) Name() string { return m.model }

// Models lists the names of the service's models.
func (m *OpenAI) Models(ctx context.Context) ([]string, error) {
	page, err := m.client.Models.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing models: %w", m.failure(err, false))
	}
	var names []string
	for _, one := range page.Data {
		names = append(names, one.ID)
	}
	slices.Sort(names)
	return names, nil
}

// Generate implements [Model].
func (m *OpenAI) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		params, names, headless := openAIParams(history, config)
		params.Model = m.model
		var response *http.Response
		err := m.client.Post(ctx, "chat/completions", params, &response, option.WithJSONSet("stream", true))
		stream := openAIStream(response, err)
		defer func() { _ = stream.Close() }()
		calls := openAICalls{names: names, text: think.Splitter{Headless: headless || think.AlwaysThinks(m.model)}}
		begun := false
		for stream.Next() {
			begun = true
			for _, resp := range calls.read(stream.Current()) {
				if !yield(resp, nil) {
					return
				}
			}
		}
		if rest := calls.rest(); rest != nil && !yield(rest, nil) {
			return
		}
		if err := stream.Err(); err != nil {
			yield(nil, m.failure(err, begun))
		}
	}
}

// failure makes the error of a request from the library's.
func (m *OpenAI) failure(err error, begun bool) error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			return end
		}
	}
	f := &Failure{Kind: Unreachable, Model: m.model, Service: m.host, Message: m.hide(wire.NetworkReason(err))}
	var api *openai.Error
	var said *ssestream.StreamError
	switch {
	case errors.As(err, &api):
		f.Status, f.Message = cmp.Or(api.Code, http.StatusText(api.StatusCode)), m.hide(cmp.Or(strings.TrimSpace(api.Message), http.StatusText(api.StatusCode)))
		f.Kind = openAIKind(api)
		if api.Response != nil {
			f.RetryAfter = retryAfter(api.Response.Header.Get("Retry-After"), time.Now())
		}
	case errors.As(err, &said):
		m.midway(f, said, begun)
	case begun:
		f.Kind = AnswerCut
	}
	return f
}

func openAIKind(e *openai.Error) FailureKind {
	switch {
	case e.StatusCode == http.StatusUnauthorized, e.StatusCode == http.StatusForbidden:
		return KeyRefused
	case e.StatusCode == http.StatusPaymentRequired, e.Code == "insufficient_quota":
		return QuotaUsed
	case e.StatusCode == http.StatusTooManyRequests:
		return RateLimited
	case e.StatusCode == http.StatusNotFound:
		return ModelUnknown
	case e.StatusCode >= 500:
		return Unavailable
	}
	return RequestBad
}

func (m *OpenAI) hide(text string) string {
	if m.key == "" {
		return text
	}
	return strings.ReplaceAll(text, m.key, "[key]")
}

// read returns the addition of a chunk to the answer.
func (c *openAICalls) read(chunk openai.ChatCompletionChunk) []*genai.GenerateContentResponse {
	var out []*genai.GenerateContentResponse
	if chunk.Usage.TotalTokens > 0 {
		u := chunk.Usage
		out = append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model, UsageMetadata: &genai.GenerateContentResponseUsageMetadata{
			PromptTokenCount: int32(u.PromptTokens), CandidatesTokenCount: int32(u.CompletionTokens - u.CompletionTokensDetails.ReasoningTokens),
			ThoughtsTokenCount: int32(u.CompletionTokensDetails.ReasoningTokens), CachedContentTokenCount: int32(u.PromptTokensDetails.CachedTokens),
		}})
	}
	if len(chunk.Choices) == 0 {
		return out
	}
	choice := chunk.Choices[0]
	var parts []*genai.Part
	if thought := reasoning(choice.Delta.RawJSON()); thought != "" {
		parts = append(parts, &genai.Part{Text: thought, Thought: true})
		c.text.Separated()
	}
	if choice.Delta.Content != "" {
		parts = append(parts, textParts(c.text.Add(choice.Delta.Content))...)
	}
	for _, call := range choice.Delta.ToolCalls {
		c.add(call)
	}
	var finish genai.FinishReason
	if choice.FinishReason != "" && !c.done { // some services say it twice
		c.done = true
		parts = append(parts, textParts(c.text.End(choice.FinishReason != "length"))...)
		var calls []*genai.Part
		calls, finish = c.finish(choice.FinishReason)
		parts = append(parts, calls...)
	}
	if len(parts) == 0 && finish == "" {
		if choice.Delta.Content != "" { // text is held back, but the stream is not silent
			out = append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model})
		}
		return out
	}
	return append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model, Candidates: []*genai.Candidate{{
		Content: &genai.Content{Role: genai.RoleModel, Parts: parts}, FinishReason: finish,
	}}})
}

// reasoning returns the thoughts in a delta, which services name differently.
func reasoning(delta string) string {
	if !strings.Contains(delta, `"reasoning`) {
		return ""
	}
	var d struct {
		ReasoningContent string `json:"reasoning_content"`
		Reasoning        string `json:"reasoning"`
	}
	_ = json.Unmarshal([]byte(delta), &d) // other forms hold no text
	return cmp.Or(d.ReasoningContent, d.Reasoning)
}

// finish returns the complete calls and the reason of the end.
func (c *openAICalls) finish(reason string) ([]*genai.Part, genai.FinishReason) {
	ending := openAIEnding(reason)
	if ending == "" { // the service stopped before the model: half a call may look whole
		return nil, genai.FinishReasonUnspecified
	}
	var parts []*genai.Part
	for _, p := range c.pieces {
		args, err := openAIArgs(p.args)
		if err != nil {
			return nil, genai.FinishReasonMalformedFunctionCall
		}
		name := cmp.Or(c.names[p.name], p.name)
		parts = append(parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: p.id, Name: name, Args: args}})
	}
	return parts, ending
}

// openAIEnding is the reason of an end in Gemini's words; empty if the answer is not complete.
// Services have reasons beyond OpenAI's: "error" (OpenRouter), "network_error" and "sensitive"
// (GLM), "insufficient_system_resource" (DeepSeek), "abort" (SGLang), "recitation" (Gemini).
func openAIEnding(reason string) genai.FinishReason {
	reason = strings.ToLower(reason)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(reason, w) })
	}
	switch {
	case has("error", "abort", "cancel", "interrupt", "insufficient", "timeout", "timed_out", "fail", "incomplete", "disconnect", "unspecified"):
		return ""
	case has("length", "max_", "limit", "truncat"):
		return genai.FinishReasonMaxTokens
	case has("filter", "safety", "sensitive", "recitation", "refus", "block", "moderation", "prohibited"):
		return genai.FinishReasonSafety
	}
	return genai.FinishReasonStop
}
