package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genai"

	"goated/agent/wire"
)

// DefaultIdle is how long a stream may be silent.
const DefaultIdle = time.Minute

// usageWait is how long a stream may stay open after the end of its answer, because the usage may
// follow.
const usageWait = 5 * time.Second

// errSilent is the cause that ends the context of a request whose stream was silent for too long.
var errSilent = errors.New("no answer in time")

// A request sends one question to a model. It does not touch the conversation, so several
// goroutines may make requests for one session.
type request struct {
	model Model
	idle  time.Duration // how long the stream may be silent
}

// request returns a request to the session's model.
func (s *Session) request() request { return request{s.Model, cmp.Or(s.Idle, DefaultIdle)} }

// A silence ends a request whose stream is silent for too long.
type silence struct {
	alarm       *time.Timer
	idle, limit time.Duration
}

// limitSilence returns a context that ends with the cause errSilent if the stream is silent for too
// long. Before the answer begins, a model on this computer may take longer, because a program first
// loads it and processes the whole request.
func (r request) limitSilence(ctx context.Context) (context.Context, *silence, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &silence{idle: r.idle, limit: r.idle}
	if m, ok := r.model.(interface{ Warmup() time.Duration }); ok {
		l.limit = max(r.idle, m.Warmup())
	}
	l.alarm = time.AfterFunc(l.limit, func() { cancel(errSilent) })
	ctx = wire.WithPulse(ctx, func() { l.alarm.Reset(l.limit) })
	return ctx, l, func() { l.alarm.Stop(); cancel(nil) }
}

// restart restarts the timer for silence. The limit gets shorter once the answer has begun, and again
// once it has ended.
func (l *silence) restart(begun, ended bool) {
	switch {
	case ended:
		l.limit = min(l.idle, usageWait)
	case begun:
		l.limit = l.idle
	}
	l.alarm.Reset(l.limit)
}

// await makes the request and reads its answer. The usage of the answer includes the cost, even if the
// request fails. await ends a stream that is silent for too long. It passes text to tell as it arrives,
// and stops when tell returns false. tell may be nil.
func (r request) await(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig, tell func(Event) bool) (*answer, error) {
	ctx, silence, done := r.limitSilence(ctx)
	defer done()
	a, err := r.stream(ctx, contents, config, silence, tell)
	a.flush()
	a.usage = priced(r.model, a.usage, a.model)
	if a.isComplete() && (context.Cause(ctx) == errSilent || ctx.Err() == nil) {
		return a, nil // the stream hung or broke after the answer was complete
	}
	if context.Cause(ctx) == errSilent && (err != nil || !a.isComplete()) {
		return a, &Failure{Kind: Silent, Model: modelName(r.model), Idle: silence.limit}
	}
	return a, err
}

// stream reads the responses of the request.
func (r request) stream(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig, silence *silence, tell func(Event) bool) (*answer, error) {
	a := &answer{}
	for resp, err := range r.model.Generate(ctx, contents, config) {
		if err != nil {
			return a, err
		}
		parts := a.addResponse(resp)
		silence.restart(len(parts) > 0, a.isComplete())
		if tell != nil && !tellText(parts, tell) {
			return a, ctx.Err()
		}
	}
	return a, nil
}

// tellText passes the text of parts to tell. It returns false once tell does.
func tellText(parts []*genai.Part, tell func(Event) bool) bool {
	for _, p := range parts {
		switch {
		case p.Text == "":
		case p.Thought && !tell(ThoughtDelta{p.Text}), !p.Thought && !tell(TextDelta{p.Text}):
			return false
		}
	}
	return true
}

// answerTo makes a request without tools, outside the conversation, and returns the text of the whole
// answer. It returns the usage even if the request fails.
func (r request) answerTo(ctx context.Context, question *genai.Content, config *genai.GenerateContentConfig) (string, Usage, error) {
	a, err := r.await(ctx, []*genai.Content{question}, config, nil)
	if err != nil {
		return "", a.usage, err
	}
	switch v := a.judge(); {
	case v.rule == repeat:
		return "", a.usage, fmt.Errorf("the model gave no usable answer: %w", a.unusableError(v.kind, modelName(r.model)))
	case v.end.Reason == Truncated:
		return "", a.usage, errors.New("the answer reached the model's output limit")
	case v.rule == end:
		return "", a.usage, fmt.Errorf("the model gave no answer: %s", cmp.Or(v.end.Detail, v.end.Code))
	case len(a.calls()) > 0:
		return "", a.usage, errors.New("the model called a tool instead of answering")
	}
	var b strings.Builder
	for _, p := range a.parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return "", a.usage, fmt.Errorf("the model gave no usable answer: %w", a.unusableError(AnswerEmpty, modelName(r.model)))
	}
	return b.String(), a.usage, nil
}

// modelName returns the name of a model, or "" if it has none.
func modelName(m Model) string {
	if m, ok := m.(interface{ Name() string }); ok {
		return m.Name()
	}
	return ""
}

// serviceName returns the address of a model's service. It is empty for Gemini, and for a model
// without a Service method.
func serviceName(m Model) string {
	if m, ok := m.(interface{ Service() string }); ok {
		return m.Service()
	}
	return ""
}
