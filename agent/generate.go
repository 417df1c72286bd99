package agent

import (
	"context"
	"strings"

	"google.golang.org/genai"
)

// An answer is one content of the model while it streams in.
type answer struct {
	parts  []*genai.Part
	finish genai.FinishReason
	said   string // the provider's words on the finish
	block  genai.BlockedReason
}

// generate makes one request and yields the answer's text as it comes.
func (t *turn) generate(ctx context.Context) (*answer, error) {
	t.steps++
	a := &answer{}
	var usage Usage // of this step; each response tells the total so far
	model := ""     // that answers, by its own account
	defer func() { t.usage = t.usage.add(usage, model) }()
	for resp, err := range t.Model.Generate(ctx, t.history, t.config()) {
		if err != nil {
			return a, err
		}
		if u := resp.UsageMetadata; u != nil {
			usage = Usage{
				Prompt: int(u.PromptTokenCount + u.ToolUsePromptTokenCount), Cached: int(u.CachedContentTokenCount),
				Answer: int(u.CandidatesTokenCount), Thought: int(u.ThoughtsTokenCount),
			}
		}
		if resp.ModelVersion != "" {
			model = resp.ModelVersion
		}
		if f := resp.PromptFeedback; f != nil && f.BlockReason != "" {
			a.block, a.said = f.BlockReason, f.BlockReasonMessage
		}
		if len(resp.Candidates) == 0 {
			continue
		}
		c := resp.Candidates[0]
		if c.FinishReason != "" {
			a.finish, a.said = c.FinishReason, c.FinishMessage
		}
		if c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			a.add(p)
			switch {
			case p.Text == "":
			case p.Thought:
				t.emit(ThoughtDelta{p.Text})
			default:
				t.emit(TextDelta{p.Text})
			}
		}
		if t.left {
			return a, ctx.Err()
		}
	}
	return a, nil
}

// config declares the tools anew for each step, since servers come and go.
func (t *turn) config() *genai.GenerateContentConfig {
	config := &genai.GenerateContentConfig{}
	if t.System != "" {
		config.SystemInstruction = genai.NewContentFromText(t.System, genai.RoleUser)
	}
	if t.Thoughts {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	if d := declare(t.Tools.Tools()); len(d) > 0 {
		config.Tools = []*genai.Tool{{FunctionDeclarations: d}}
	}
	return config
}

// add keeps a streamed part. Pieces of one text are joined; a part with a
// signature is never touched, since "signatures must be returned exactly as
// received" and belong to their part.
func (a *answer) add(p *genai.Part) {
	if n := len(a.parts); n > 0 && plain(p) && plain(a.parts[n-1]) && p.Thought == a.parts[n-1].Thought {
		joined := *a.parts[n-1]
		joined.Text += p.Text
		a.parts[n-1] = &joined
		return
	}
	if plain(p) && p.Text == "" {
		return // says nothing, and would be refused when it is said back
	}
	a.parts = append(a.parts, p)
}

// plain reports whether a part is text and nothing else.
func plain(p *genai.Part) bool {
	return p.ThoughtSignature == nil && p.FunctionCall == nil && p.FunctionResponse == nil && p.InlineData == nil &&
		p.FileData == nil && p.ExecutableCode == nil && p.CodeExecutionResult == nil && p.VideoMetadata == nil &&
		p.ToolCall == nil && p.ToolResponse == nil && len(p.PartMetadata) == 0
}

// text returns the unsigned text of the answer: what can be said back of one
// that has no proper end.
func (a *answer) text() []*genai.Part {
	var text []*genai.Part
	for _, p := range a.parts {
		if plain(p) && !p.Thought && strings.TrimSpace(p.Text) != "" {
			text = append(text, p)
		}
	}
	return text
}

func (a *answer) calls() []*genai.FunctionCall {
	var calls []*genai.FunctionCall
	for _, p := range a.parts {
		if p.FunctionCall != nil {
			calls = append(calls, p.FunctionCall)
		}
	}
	return calls
}

// ended says why the turn must end with this answer, or "". The tool calls of
// such an answer are never run.
func (a *answer) ended() (Reason, string) {
	if a.block != "" {
		return Blocked, sentence("The request was blocked: "+strings.ToLower(string(a.block)), a.said)
	}
	for _, c := range a.calls() {
		if c.Name == "" { // said back, it would have every later request refused
			return Blocked, sentence("The model made a tool call that can't be read", "It names no tool.")
		}
	}
	switch a.finish {
	case "", genai.FinishReasonUnspecified, genai.FinishReasonStop:
		return "", ""
	case genai.FinishReasonMaxTokens:
		return Truncated, "The answer was cut off at the model's output limit."
	case genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall:
		return Blocked, sentence("The model made a tool call that can't be read", a.said)
	}
	return Blocked, sentence("The answer was withheld: "+strings.ToLower(string(a.finish)), a.said)
}

func sentence(what, said string) string {
	if said == "" {
		return what + "."
	}
	return what + ". " + said
}
