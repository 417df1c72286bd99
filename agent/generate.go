package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/wire"
)

// An answer is one content of the model that is streaming in.
type answer struct {
	parts  []*genai.Part
	open   strings.Builder // the text of the last part, if more text may follow
	finish genai.FinishReason
	words  string // the provider's message about finish or block
	block  genai.BlockedReason
	usage  Usage  // each response contains the total so far
	model  string // the model version in the responses
}

// generate makes one request and emits the text of the answer as it arrives.
func (t *turn) generate(ctx context.Context, nudge string) (*answer, error) {
	t.steps++
	if size := t.fit(); size > t.budget()*4/5 {
		t.compactIfFull(ctx)
	}
	config := t.config(nudge)
	t.reportExcluded()
	a, err := t.request().await(ctx, t.contents(), config, t.tell)
	t.usage, t.last = t.usage.plus(a.usage), a.usage
	return a, err
}

// addResponse adds one response of a stream to the answer and returns the parts of the response.
func (a *answer) addResponse(resp *genai.GenerateContentResponse) []*genai.Part {
	if u := resp.UsageMetadata; u != nil {
		a.usage = Usage{
			Prompt: int(u.PromptTokenCount + u.ToolUsePromptTokenCount), Cached: int(u.CachedContentTokenCount),
			Answer: int(u.CandidatesTokenCount), Thought: int(u.ThoughtsTokenCount),
		}
	}
	a.model = cmp.Or(resp.ModelVersion, a.model)
	if f := resp.PromptFeedback; f != nil && f.BlockReason != "" {
		a.block, a.words = f.BlockReason, f.BlockReasonMessage
	}
	if len(resp.Candidates) == 0 {
		return nil
	}
	c := resp.Candidates[0]
	if c.FinishReason != "" {
		a.finish, a.words = c.FinishReason, c.FinishMessage
	}
	if c.Content == nil {
		return nil
	}
	for _, p := range c.Content.Parts {
		a.add(p)
	}
	return c.Content.Parts
}

// unusableError returns the failure for an unusable answer.
func (a *answer) unusableError(kind FailureKind, model string) *Failure {
	return &Failure{Kind: kind, Model: model, Status: string(a.finish), Message: a.words}
}

// isEnded reports whether the provider gave a reason why the answer ended.
func isEnded(reason genai.FinishReason) bool {
	return reason != "" && reason != genai.FinishReasonUnspecified
}

// isComplete reports whether the answer is complete or blocked.
func (a *answer) isComplete() bool { return isEnded(a.finish) || a.block != "" }

// reportExcluded emits an event for each excluded tool that the user does not know about yet.
func (t *turn) reportExcluded() {
	for _, q := range t.declarations.unreported {
		t.emit(q)
	}
	t.declarations.unreported = nil
}

// config returns the configuration of one step. It declares the tools again, because servers may
// change between two steps. It adds the nudge to the system instruction.
func (t *turn) config(nudge string) *genai.GenerateContentConfig {
	config := &genai.GenerateContentConfig{}
	if system := joined(t.systemText(), nudge); system != "" {
		config.SystemInstruction = genai.NewContentFromText(system, genai.RoleUser)
	}
	if t.Thoughts {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	t.prepare()
	config.Tools = t.declarations.list(t.hasStored)
	if f := t.declarations.finder; f != nil {
		f.found = nil // this request declares them; after it they may be evicted
	}
	return config
}

// prepare updates the declarations to the connected tools and to the quarantine.
func (s *Session) prepare() {
	s.declarations.refresh(s.Tools.Tools(), s.Pinned, s.maxDeclarations())
	if q, ok := s.Tools.(Quarantine); ok {
		s.declarations.exclude(q.Refused(serviceName(s.Model), modelName(s.Model), s.declarations.entries))
	}
}

// add appends a streamed part to the answer. It joins consecutive pieces of text. It never changes
// a part with a signature: "signatures must be returned exactly as received" (Gemini API, Thought
// signatures). A call with an ID that came before is the same call, sent again, so add ignores it.
func (a *answer) add(p *genai.Part) {
	if n := len(a.parts); n > 0 && wire.IsText(p) && wire.IsText(a.parts[n-1]) && p.Thought == a.parts[n-1].Thought {
		if a.open.Len() == 0 {
			first := *a.parts[n-1]
			a.parts[n-1] = &first
			a.open.WriteString(first.Text)
		}
		a.open.WriteString(p.Text)
		return
	}
	if wire.IsText(p) && p.Text == "" {
		return // Gemini refuses empty text in a history
	}
	if c := p.FunctionCall; c != nil && c.ID != "" && slices.ContainsFunc(a.calls(), func(o *genai.FunctionCall) bool { return o.ID == c.ID }) {
		return
	}
	a.flush()
	a.parts = append(a.parts, p)
}

// flush stores the collected text in the last part.
func (a *answer) flush() {
	if a.open.Len() > 0 {
		a.parts[len(a.parts)-1].Text = a.open.String()
		a.open.Reset()
	}
}

// text returns only the text parts of the answer, because a history may keep no other part of an
// unfinished answer. It removes their signatures, which also cover the parts that are left out.
func (a *answer) text() []*genai.Part {
	var text []*genai.Part
	for _, p := range a.parts {
		unsigned := *p
		if unsigned.ThoughtSignature = nil; wire.IsText(&unsigned) && !p.Thought && strings.TrimSpace(p.Text) != "" {
			text = append(text, &unsigned)
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
