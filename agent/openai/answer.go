package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"google.golang.org/genai"
)

// read returns what a chunk adds to the answer.
func (c *pieces) read(chunk sdk.ChatCompletionChunk) []*genai.GenerateContentResponse {
	var out []*genai.GenerateContentResponse
	if chunk.Usage.TotalTokens > 0 {
		out = append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model, UsageMetadata: usage(chunk.Usage)})
	}
	if len(chunk.Choices) == 0 {
		return out
	}
	choice := chunk.Choices[0]
	var parts []*genai.Part
	if thought := c.reasoning(choice.Delta.RawJSON()); thought != "" {
		parts = append(parts, &genai.Part{Text: thought, Thought: true})
		c.text.Separated()
	}
	said := textIn(choice.Delta)
	if said != "" {
		parts = append(parts, textParts(c.text.Add(said))...)
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
		if said != "" { // text is held back, but the stream is not silent
			out = append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model})
		}
		return out
	}
	return append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model, Candidates: []*genai.Candidate{{
		Content: &genai.Content{Role: genai.RoleModel, Parts: parts}, FinishReason: finish,
	}}})
}

// usage translates the number of tokens. OpenAI counts thoughts in the completion, xAI counts
// them beside it.
func usage(u sdk.CompletionUsage) *genai.GenerateContentResponseUsageMetadata {
	thoughts, said := u.CompletionTokensDetails.ReasoningTokens, u.CompletionTokens
	if thoughts <= said && u.TotalTokens < u.PromptTokens+said+thoughts {
		said -= thoughts
	}
	return &genai.GenerateContentResponseUsageMetadata{
		PromptTokenCount: int32(u.PromptTokens), CandidatesTokenCount: int32(said),
		ThoughtsTokenCount: int32(thoughts), CachedContentTokenCount: int32(u.PromptTokensDetails.CachedTokens),
	}
}

// textIn returns the text of a delta: its content, which some services write as a list of
// parts, or the words of a refusal.
func textIn(delta sdk.ChatCompletionChunkChoiceDelta) string {
	text := delta.Content + delta.Refusal
	if raw := delta.JSON.Content.Raw(); strings.HasPrefix(raw, "[") { // the library takes it for a text
		text = delta.Refusal
		var parts []struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal([]byte(raw), &parts) // other parts hold no text
		for _, p := range parts {
			text += p.Text
		}
	}
	return text
}

// reasoning returns the thoughts in a delta, which services name differently. It keeps what
// goes back to the service.
func (c *pieces) reasoning(delta string) string {
	if !strings.Contains(delta, `"reasoning`) {
		return ""
	}
	var d struct {
		ReasoningContent string           `json:"reasoning_content"`
		Reasoning        string           `json:"reasoning"`
		Details          []map[string]any `json:"reasoning_details"`
	}
	_ = json.Unmarshal([]byte(delta), &d) // other forms hold no text
	if d.ReasoningContent != "" {
		c.back.Thought = "reasoning_content"
	}
	for _, piece := range d.Details {
		c.back.detail(piece)
	}
	return cmp.Or(d.ReasoningContent, d.Reasoning)
}

// finish returns the complete calls and the reason of the end.
func (c *pieces) finish(reason string) ([]*genai.Part, genai.FinishReason) {
	ending := ending(reason)
	if ending == "" { // the service ended early: a truncated call may look complete
		return nil, genai.FinishReasonUnspecified
	}
	var parts []*genai.Part
	if signature := c.back.signature(); signature != nil && len(c.pieces) > 0 {
		parts = append(parts, &genai.Part{Thought: true, ThoughtSignature: signature})
	}
	for _, p := range c.pieces {
		args, err := arguments(p.args)
		if err != nil {
			return nil, genai.FinishReasonMalformedFunctionCall
		}
		name := cmp.Or(c.names[p.name], p.name)
		parts = append(parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: p.id, Name: name, Args: args}, ThoughtSignature: returned{From: c.back.From, Extra: p.extra}.signature()})
	}
	return parts, ending
}

// ending translates the reason of an end to Gemini's. It returns "" if the answer is not
// complete.
// Services have reasons beyond OpenAI's: "error" (OpenRouter), "network_error" and "sensitive"
// (GLM), "insufficient_system_resource" (DeepSeek), "abort" (SGLang), "recitation" (Gemini).
func ending(reason string) genai.FinishReason {
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
