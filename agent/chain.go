package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/exact"
	"goated/registry"
)

// Limits of a chain. Its steps are limited by [Session.MaxSteps].
const (
	maxChainPrompt = 256 << 10       // bytes of one prompt
	chainTime      = 2 * time.Minute // for one generation
)

// A ChainStep is one round of a chain: the model answered a prompt of the server, and goated passed
// the answer to the server's callback tool (seed 001).
type ChainStep struct {
	ID       string        `json:"id"`   // the call's ID, a slash and the number of the step
	Tool     string        `json:"tool"` // the server's name for the callback tool
	About    string        `json:"about,omitempty"`
	Usage    Usage         `json:"usage"`
	Duration time.Duration `json:"duration_ns"`
	Error    string        `json:"error,omitempty"`
	Failure  *Failure      `json:"failure,omitempty"` // the request to the model that failed with Error; nil if another error ended the step
}

// promptReady is the result of a tool that asks the host to run a prompt (seed 001).
type promptReady struct {
	Status           string         `json:"status"`
	PromptForHostLLM string         `json:"promptForHostLLM"`
	CallbackTool     string         `json:"callbackTool"`
	CallbackArgs     map[string]any `json:"callbackArgs"`
}

// readPrompt returns the prompt that a result asks the host to run, or nil if it asks for none.
func readPrompt(result *mcp.CallToolResult) *promptReady {
	if result == nil || result.IsError || result.StructuredContent == nil {
		return nil
	}
	data, err := exact.Encode(result.StructuredContent)
	if err != nil {
		return nil
	}
	p := new(promptReady)
	if exact.Decode(data, p) != nil || p.Status != "prompt_ready" || p.PromptForHostLLM == "" || p.CallbackTool == "" {
		return nil
	}
	return p
}

// chain runs the prompts that the result of a call asks for, if the policy trusts the tool to do
// that. The last result becomes the result of the call. From any other tool, such a result is plain
// data.
func (r *run) chain(ctx context.Context, events chan<- Event) error {
	p := readPrompt(r.returned.Result)
	if p == nil || r.session.Policy == nil || r.session.Policy.Chains == nil || !r.session.Policy.Chains(r.entry) {
		return nil
	}
	if !CanAnswer(r.session.Model) {
		return nil // the user sees the prompt
	}
	callback, err := r.session.Tools.Lookup(registry.Qualify(r.entry.Server, p.CallbackTool))
	if err != nil || callback.Server != r.entry.Server || callback.Tool.Name != p.CallbackTool || callback.Name == r.entry.Name {
		return fmt.Errorf("the result asks for the callback tool %q, which the server does not have", p.CallbackTool)
	}
	asked := time.Now()
	err = r.askConsent(ctx, callback, p)
	if r.consented = time.Since(asked); err != nil {
		return err
	}
	most := cmp.Or(r.session.MaxSteps, DefaultMaxSteps)
	for n := 1; p != nil; n++ {
		if n > most {
			return fmt.Errorf("the chain stopped after %d steps, the limit of a turn. What it stored is kept; call %s again to go on", most, r.call.Tool)
		}
		if p.CallbackTool != callback.Tool.Name {
			return fmt.Errorf("the chain asks for the callback tool %q after %q", p.CallbackTool, callback.Tool.Name)
		}
		step := ChainStep{ID: fmt.Sprintf("%s/%d", r.call.ID, n), Tool: callback.Tool.Name, About: stepSubject(p)}
		events <- ToolProgressed{ID: r.call.ID, Progress: float64(n - 1), Message: strings.TrimRight(fmt.Sprintf("Step %d: %s", n, step.About), ": ")}
		began := time.Now()
		result, err := r.step(ctx, callback, p, &step, events)
		step.Duration = time.Since(began)
		if err != nil {
			step.Error = err.Error()
			_ = errors.As(err, &step.Failure) // Failure stays nil for other errors
		}
		r.returned.Chain = append(r.returned.Chain, step)
		r.log(step, n, most)
		if err != nil {
			return fmt.Errorf("step %d of the chain: %w", n, err)
		}
		r.returned.Result = result
		p = readPrompt(result)
	}
	return nil
}

// askConsent asks the user about the callback tool, as for any call, before the model generates
// anything. The answer applies to the whole chain, and to later chains if the user allows those,
// too.
func (r *run) askConsent(ctx context.Context, callback registry.Entry, p *promptReady) error {
	r.asking.Lock()
	defer r.asking.Unlock()
	if r.session.allows(callback, p.CallbackArgs) {
		return nil
	}
	if r.session.Approve == nil {
		return NoApprover
	}
	call := ToolCalled{ID: r.call.ID, Name: callback.Name, Server: callback.Server, Tool: callback.Tool.Name, Args: maps.Clone(p.CallbackArgs), At: time.Now()}
	answers, err := r.session.Approve(ctx, []Pending{{Call: call, Entry: callback}})
	switch {
	case ctx.Err() != nil:
		return cancelled(ctx)
	case err != nil:
		return &approvalError{call.Name, err}
	case len(answers) == 0 || answers[0].Decision == Deny:
		return CallDenied
	}
	if answers[0].Args != nil {
		p.CallbackArgs = answers[0].Args
	}
	r.session.keepAnswer(ctx, Pending{Call: call, Entry: callback}, answers[0].Decision)
	return nil
}

// step sends one prompt to the model, without tools, and passes the answer to the callback tool.
func (r *run) step(ctx context.Context, callback registry.Entry, p *promptReady, step *ChainStep, events chan<- Event) (*mcp.CallToolResult, error) {
	if len(p.PromptForHostLLM) > maxChainPrompt {
		return nil, fmt.Errorf("the prompt has %d bytes, the limit is %d", len(p.PromptForHostLLM), maxChainPrompt)
	}
	text, err := r.answerPrompt(ctx, p.PromptForHostLLM, step, events)
	if err != nil {
		return nil, err
	}
	args := maps.Clone(p.CallbackArgs)
	if args == nil {
		args = make(map[string]any)
	}
	args["result"] = text
	result, err := r.session.Tools.CallEntry(ctx, callback, args, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", callback.Tool.Name, err)
	}
	return result, nil
}

// answerPrompt asks the model. It waits for a service that is busy or limits requests, like the turn.
func (r *run) answerPrompt(ctx context.Context, prompt string, step *ChainStep, events chan<- Event) (string, error) {
	for attempts := 0; ; attempts++ {
		text, usage, err := answerInTime(ctx, r.session.request(), prompt)
		step.Usage = step.Usage.plus(usage)
		var f *Failure
		if !errors.As(err, &f) {
			return text, err
		}
		delay, again := f.retryIn(attempts, firstDelay(r.session))
		if !again || !wait(ctx, delay, f, attempts+2, func(e Event) { events <- e }) {
			return "", err
		}
	}
}

var errChainTime = errors.New("the model took too long")

// Complete asks a model one question without tools and without a conversation. If m cannot answer,
// the error asks the user to add a Gemini key.
func Complete(ctx context.Context, m Model, question string) (string, Usage, error) {
	if !CanAnswer(m) {
		return "", Usage{}, errors.New("no model can answer: add a Gemini key in Settings")
	}
	return answerInTime(ctx, request{m, DefaultIdle}, question)
}

// answerInTime asks the model one question without tools and without the conversation.
func answerInTime(ctx context.Context, r request, question string) (string, Usage, error) {
	timed, cancel := context.WithTimeoutCause(ctx, chainTime, errChainTime)
	defer cancel()
	text, usage, err := r.answerTo(timed, genai.NewContentFromText(question, genai.RoleUser), &genai.GenerateContentConfig{})
	if cause := context.Cause(timed); cause != nil {
		return "", usage, cause
	}
	return text, usage, err
}

// stepSubject returns the subject of a step for the card, or "" if there is none.
func stepSubject(p *promptReady) string {
	task, _ := p.CallbackArgs["task"].(string)
	path, _ := p.CallbackArgs["path"].(string)
	if len(task)+len(path) > 300 || task == "" && path == "" {
		return ""
	}
	return strings.TrimSpace(task + " " + path)
}

func (r *run) log(step ChainStep, n, most int) {
	if r.session.Logger == nil {
		return
	}
	r.session.Logger.Info("chain step", slog.String("id", step.ID), slog.Int("step", n), slog.Int("limit", most), slog.String("tool", r.call.Server+"/"+step.Tool),
		slog.Int("prompt_tokens", step.Usage.Prompt), slog.Int("answer_tokens", step.Usage.Answer), slog.Duration("duration", step.Duration), slog.String("error", step.Error))
}

// plus adds the tokens and costs of two usages. If either cost is unknown, the cost of the sum is
// unknown.
func (u Usage) plus(v Usage) Usage {
	sum := Usage{
		Prompt: u.Prompt + v.Prompt, Cached: u.Cached + v.Cached, Answer: u.Answer + v.Answer, Thought: u.Thought + v.Thought, Cost: u.Cost + v.Cost,
	}
	if u.Total() > 0 && u.Cost == 0 || v.Total() > 0 && v.Cost == 0 {
		sum.Cost = 0
	}
	return sum
}
