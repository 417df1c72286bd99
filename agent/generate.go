package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/genai"

	"goated/agent/wire"
)

// DefaultIdle is how long a stream may be silent.
const DefaultIdle = time.Minute

// settling is how long a stream may stay open after the end of its answer: figures may follow.
const settling = 5 * time.Second

// errSilent is the cause of the context of a request that was silent for too long.
var errSilent = errors.New("no answer in time")

// An answer is one content of the model while it streams in.
type answer struct {
	parts  []*genai.Part
	open   strings.Builder // the text of the last part, if it is plain
	finish genai.FinishReason
	words  string // the provider's words about finish or block
	block  genai.BlockedReason
	usage  Usage  // each response has the total so far
	model  string // the version that the responses name
}

// generate makes one request and yields the text of the answer as it comes. It ends a
// stream that is silent for too long.
func (t *turn) generate(ctx context.Context, nudge string) (*answer, error) {
	t.steps++
	if size := t.fit(); size > t.budget()*4/5 {
		t.condense(ctx)
	}
	config := t.config(nudge)
	t.reportExcluded()
	before := t.usage
	a, err := t.await(ctx, t.contents(), config)
	t.last = t.usage.minus(before)
	return a, err
}

// A silence ends a request whose service says nothing for too long.
type silence struct {
	alarm       *time.Timer
	idle, limit time.Duration
}

// limitSilence returns a context that ends with the cause errSilent after too long a silence. The
// model may take longer before its answer begins: a program on this computer loads it first,
// and reads the whole request.
func limitSilence(ctx context.Context, s *Session) (context.Context, *silence, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	idle := cmp.Or(s.Idle, DefaultIdle)
	l := &silence{idle: idle, limit: idle}
	if m, ok := s.Model.(interface{ Warmup() time.Duration }); ok {
		l.limit = max(idle, m.Warmup())
	}
	l.alarm = time.AfterFunc(l.limit, func() { cancel(errSilent) })
	ctx = wire.WithPulse(ctx, func() { l.alarm.Reset(l.limit) })
	return ctx, l, func() { l.alarm.Stop(); cancel(nil) }
}

// heard restarts the time limit for silence. The limit is shorter after the answer has begun, and
// after it has ended.
func (l *silence) heard(begun, ended bool) {
	switch {
	case ended:
		l.limit = min(l.idle, settling)
	case begun:
		l.limit = l.idle
	}
	l.alarm.Reset(l.limit)
}

// await makes a request and reads its answer. It ends a stream that is silent for too long.
func (t *turn) await(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig) (*answer, error) {
	ctx, silence, done := limitSilence(ctx, t.Session)
	defer done()
	a, err := t.stream(ctx, contents, config, silence)
	a.flush()
	if a.whole() && (context.Cause(ctx) == errSilent || ctx.Err() == nil) {
		return a, nil // the stream hung or broke after its end
	}
	if context.Cause(ctx) == errSilent && (err != nil || !a.whole()) {
		return a, &Failure{Kind: Silent, Model: t.modelName(), Idle: silence.limit}
	}
	return a, err
}

// stream reads the responses of one request and yields the text in them.
func (t *turn) stream(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig, silence *silence) (*answer, error) {
	a := &answer{}
	defer func() { t.usage = t.usage.plus(t.priced(a.usage, a.model)) }()
	for resp, err := range t.Model.Generate(ctx, contents, config) {
		if err != nil {
			return a, err
		}
		parts := a.take(resp)
		silence.heard(len(parts) > 0, a.whole())
		for _, p := range parts {
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

// take keeps one response of a stream and returns its parts.
func (a *answer) take(resp *genai.GenerateContentResponse) []*genai.Part {
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

// answerTo makes a request without tools and outside of the conversation, and returns the text of the
// whole answer. It returns the usage of a request that failed, too.
func answerTo(ctx context.Context, s *Session, question *genai.Content, config *genai.GenerateContentConfig) (string, Usage, error) {
	t := &turn{Session: s, yield: func(Event, error) bool { return true }, cancel: func() {}}
	a, err := t.await(ctx, []*genai.Content{question}, config)
	if err != nil {
		return "", t.usage, err
	}
	switch v := a.judge(); {
	case v.rule == repeat:
		return "", t.usage, fmt.Errorf("the model gave no usable answer: %w", a.unusable(v.kind, s.modelName()))
	case v.end.Reason == Truncated:
		return "", t.usage, errors.New("the answer reached the model's output limit")
	case v.rule == end:
		return "", t.usage, fmt.Errorf("the model gave no answer: %s", cmp.Or(v.end.Detail, v.end.Code))
	case len(a.calls()) > 0:
		return "", t.usage, errors.New("the model called a tool instead of answering")
	}
	var b strings.Builder
	for _, p := range a.parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return "", t.usage, fmt.Errorf("the model gave no usable answer: %w", a.unusable(AnswerEmpty, s.modelName()))
	}
	return b.String(), t.usage, nil
}

// unusable is the failure of a request to a model whose answer is of no use.
func (a *answer) unusable(kind FailureKind, model string) *Failure {
	return &Failure{Kind: kind, Model: model, Status: string(a.finish), Message: a.words}
}

// ended reports whether the provider gave a reason for the end of an answer.
func ended(reason genai.FinishReason) bool {
	return reason != "" && reason != genai.FinishReasonUnspecified
}

// whole reports whether the model has ended the answer.
func (a *answer) whole() bool { return ended(a.finish) || a.block != "" }

// modelName returns the name of the model, if it has one.
func (s *Session) modelName() string {
	if m, ok := s.Model.(interface{ Name() string }); ok {
		return m.Name()
	}
	return ""
}

// serviceOf returns the address of a model's service; empty: Gemini, or a model that names none.
func serviceOf(m Model) string {
	if m, ok := m.(interface{ Service() string }); ok {
		return m.Service()
	}
	return ""
}

// reportExcluded reports the tools that were left out.
func (t *turn) reportExcluded() {
	for _, q := range t.declarations.unreported {
		t.emit(q)
	}
	t.declarations.unreported = nil
}

// config declares the tools for one step; servers may change between two steps. A
// nudge is added to the system instruction.
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
		f.found = nil // this request declares them, and from now on they may go
	}
	return config
}

// prepare brings the declared tools up to date.
func (s *Session) prepare() {
	s.declarations.refresh(s.Tools.Tools(), s.Pinned, s.maxDeclarations())
	if q, ok := s.Tools.(Quarantine); ok {
		s.declarations.exclude(q.Refused(serviceOf(s.Model), s.modelName(), s.declarations.entries))
	}
}

// add keeps a streamed part. It joins the pieces of one text. It never changes a
// part with a signature: "signatures must be returned exactly as received" (Gemini
// API, Thought signatures). A call whose id came before is the same call, sent again.
func (a *answer) add(p *genai.Part) {
	if n := len(a.parts); n > 0 && wire.Plain(p) && wire.Plain(a.parts[n-1]) && p.Thought == a.parts[n-1].Thought {
		if a.open.Len() == 0 {
			first := *a.parts[n-1]
			a.parts[n-1] = &first
			a.open.WriteString(first.Text)
		}
		a.open.WriteString(p.Text)
		return
	}
	if wire.Plain(p) && p.Text == "" {
		return // Gemini refuses an empty text in a history
	}
	if c := p.FunctionCall; c != nil && c.ID != "" && slices.ContainsFunc(a.calls(), func(o *genai.FunctionCall) bool { return o.ID == c.ID }) {
		return
	}
	a.flush()
	a.parts = append(a.parts, p)
}

// flush completes the text of the last part.
func (a *answer) flush() {
	if a.open.Len() > 0 {
		a.parts[len(a.parts)-1].Text = a.open.String()
		a.open.Reset()
	}
}

// text returns the text of the answer: the parts of an unfinished answer that a history may
// hold. It has no signatures, which belong to the parts that are left out, too.
func (a *answer) text() []*genai.Part {
	var text []*genai.Part
	for _, p := range a.parts {
		unsigned := *p
		if unsigned.ThoughtSignature = nil; wire.Plain(&unsigned) && !p.Thought && strings.TrimSpace(p.Text) != "" {
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
