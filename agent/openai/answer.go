package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"google.golang.org/genai"
)

// read returns the responses that a chunk adds to the answer.
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
	said := deltaText(choice.Delta)
	if said != "" {
		parts = append(parts, textParts(c.text.Add(said))...)
	}
	for _, call := range choice.Delta.ToolCalls {
		c.add(call)
	}
	var finish genai.FinishReason
	if choice.FinishReason != "" && !c.done { // some services send it twice
		c.done = true
		parts = append(parts, textParts(c.text.End(choice.FinishReason != "length"))...)
		var calls []*genai.Part
		calls, finish = c.finish(choice.FinishReason)
		parts = append(parts, calls...)
	}
	if len(parts) == 0 && finish == "" {
		if said != "" { // the text is held back, but the session must know that the stream is not silent
			out = append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model})
		}
		return out
	}
	return append(out, &genai.GenerateContentResponse{ModelVersion: chunk.Model, Candidates: []*genai.Candidate{{
		Content: &genai.Content{Role: genai.RoleModel, Parts: parts}, FinishReason: finish,
	}}})
}

// usage translates the token counts. OpenAI includes thoughts in the completion tokens; xAI counts
// them separately.
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

// deltaText returns the text of a delta: its content, which some services send as a list of parts, or
// a refusal.
func deltaText(delta sdk.ChatCompletionChunkChoiceDelta) string {
	text := delta.Content + delta.Refusal
	if raw := delta.JSON.Content.Raw(); strings.HasPrefix(raw, "[") { // the library treats it as a string
		text = delta.Refusal
		var parts []struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal([]byte(raw), &parts) // parts of another form contain no text
		for _, p := range parts {
			text += p.Text
		}
	}
	return text
}

// reasoning returns the thoughts in a delta; services use different names for them. It stores the
// data that must go back to the service.
func (c *pieces) reasoning(delta string) string {
	if !strings.Contains(delta, `"reasoning`) {
		return ""
	}
	var d struct {
		ReasoningContent string           `json:"reasoning_content"`
		Reasoning        string           `json:"reasoning"`
		Details          []map[string]any `json:"reasoning_details"`
	}
	_ = json.Unmarshal([]byte(delta), &d) // other forms contain no text
	if d.ReasoningContent != "" {
		c.back.Thought = "reasoning_content"
	}
	for _, piece := range d.Details {
		c.back.addDetail(piece)
	}
	return cmp.Or(d.ReasoningContent, d.Reasoning)
}

// finish returns the complete calls and the finish reason.
func (c *pieces) finish(reason string) ([]*genai.Part, genai.FinishReason) {
	ending := finishReason(reason)
	if ending == "" { // the answer is incomplete, and a truncated call may look complete
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
		parts = append(parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: p.id, Name: name, Args: args}, ThoughtSignature: returnData{From: c.back.From, Extra: p.extra}.signature()})
	}
	return parts, ending
}

// finishReason translates a finish reason to Gemini's. It returns "" if the answer is incomplete.
// Services use more reasons than OpenAI: "error" (OpenRouter), "network_error" and "sensitive"
// (GLM), "insufficient_system_resource" (DeepSeek), "abort" (SGLang), "recitation" and
// "function_call_filter: MALFORMED_FUNCTION_CALL" (Gemini).
func finishReason(reason string) genai.FinishReason {
	reason = strings.ToLower(reason)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(reason, w) })
	}
	switch {
	case has("error", "abort", "cancel", "interrupt", "insufficient", "timeout", "timed_out", "fail", "incomplete", "disconnect", "unspecified"):
		return ""
	case has("malformed"):
		return genai.FinishReasonMalformedFunctionCall
	case has("unexpected_tool"):
		return genai.FinishReasonUnexpectedToolCall
	case has("length", "max_", "limit", "truncat"):
		return genai.FinishReasonMaxTokens
	case has("filter", "safety", "sensitive", "recitation", "refus", "block", "moderation", "prohibited"):
		return genai.FinishReasonSafety
	}
	return genai.FinishReasonStop
}
