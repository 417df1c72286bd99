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
	words  string // the provider's words about finish or block
	block  genai.BlockedReason
}

// generate makes one request and yields the text of the answer as it comes.
func (t *turn) generate(ctx context.Context) (*answer, error) {
	t.steps++
	a := &answer{}
	var usage Usage // of this step; each response has the total so far
	model := ""     // the version that the response names
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
			a.block, a.words = f.BlockReason, f.BlockReasonMessage
		}
		if len(resp.Candidates) == 0 {
			continue
		}
		c := resp.Candidates[0]
		if c.FinishReason != "" {
			a.finish, a.words = c.FinishReason, c.FinishMessage
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

// config declares the tools for one step; servers may change between two steps.
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

// add keeps a streamed part. It joins the pieces of one text. It never changes a
// part with a signature: "signatures must be returned exactly as received" (Gemini
// API, Thought signatures).
func (a *answer) add(p *genai.Part) {
	if n := len(a.parts); n > 0 && plain(p) && plain(a.parts[n-1]) && p.Thought == a.parts[n-1].Thought {
		joined := *a.parts[n-1]
		joined.Text += p.Text
		a.parts[n-1] = &joined
		return
	}
	if plain(p) && p.Text == "" {
		return // Gemini refuses an empty text in a history
	}
	a.parts = append(a.parts, p)
}

// plain reports whether a part is text and nothing else.
func plain(p *genai.Part) bool {
	return p.ThoughtSignature == nil && p.FunctionCall == nil && p.FunctionResponse == nil && p.InlineData == nil &&
		p.FileData == nil && p.ExecutableCode == nil && p.CodeExecutionResult == nil && p.VideoMetadata == nil &&
		p.ToolCall == nil && p.ToolResponse == nil && len(p.PartMetadata) == 0
}

// text returns the unsigned text of the answer: the parts of an unfinished answer
// that a history may hold.
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

// end returns how the answer ends the turn; its Reason is empty if the turn goes
// on. The turn never runs the tool calls of an answer that ends it here.
func (a *answer) end() TurnEnded {
	if a.block != "" {
		return TurnEnded{Reason: Blocked, Cause: PromptBlocked, Code: string(a.block), Detail: a.words}
	}
	for _, c := range a.calls() {
		if c.Name == "" { // Gemini refuses every later request with such a call
			return TurnEnded{Reason: Blocked, Cause: CallUnreadable, Detail: a.words}
		}
	}
	switch a.finish {
	case "", genai.FinishReasonUnspecified, genai.FinishReasonStop:
		return TurnEnded{}
	case genai.FinishReasonMaxTokens:
		return TurnEnded{Reason: Truncated}
	case genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall:
		return TurnEnded{Reason: Blocked, Cause: CallUnreadable, Code: string(a.finish), Detail: a.words}
	}
	return TurnEnded{Reason: Blocked, Cause: AnswerWithheld, Code: string(a.finish), Detail: a.words}
}
