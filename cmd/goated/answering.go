//go:build !headless

package main

import (
	"context"
	"iter"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/ui"
	"goated/ui/settings"
)

// initialAnswering returns the model and the sessions for new conversations at startup. The keyring
// may take seconds or ask the user, so the window does not wait for it. In that case provisional is
// true, and messages wait for the key.
func (a *app) initialAnswering(ctx context.Context, dialogs *ui.Dialogs) (now ui.Answering, provisional bool, err error) {
	a.source.Offline = offlineModel(a, dialogs.Ask)
	if a.key != "" || a.endpoint != "" || a.settings.Endpoint != "" || !sessionBus() {
		now, err = a.answering(ctx, a.settings, dialogs)
		return now, false, err
	}
	l := &pendingModel{found: make(chan struct{})}
	a.later.Go(func() {
		defer close(l.found)
		with := *a
		with.key, with.keyFrom = findKey(ctx)
		a.log.keep(with.key)
		l.model, l.err = with.newModel(ctx)
	})
	return ui.Answering{
		Model:      "…",
		NewSession: func() *agent.Session { return a.newSession(l, nil) },
	}, true, nil
}

// A pendingModel is a model that waits for its key.
type pendingModel struct {
	found chan struct{} // closed when the other fields are set
	model agent.Model
	err   error
}

// Generate implements [agent.Model].
func (l *pendingModel) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		select {
		case <-l.found:
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return
		}
		if l.err != nil {
			yield(nil, l.err)
			return
		}
		l.model.Generate(ctx, history, config)(yield)
	}
}

// NeedsAllTools asks the actual model. Until that exists, every tool is declared, because the
// offline model would need them all.
func (l *pendingModel) NeedsAllTools() bool {
	select {
	case <-l.found:
		whole, ok := l.model.(interface{ NeedsAllTools() bool })
		return ok && whole.NeedsAllTools()
	default:
		return true
	}
}

// answering creates the model and the sessions of conversations from the settings and the key.
func (a *app) answering(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.settings = s
	model, err := with.newModel(ctx)
	if err != nil {
		return ui.Answering{}, err
	}
	out := ui.Answering{Model: modelname.Title(model.Ref()), Ref: model.Ref(), KeyFrom: a.keyFrom}
	if model.NeedsAllTools() && s.Endpoint != config.NoModel {
		out.Notice = "No model. goated finds the tool in your words. Add a Gemini key in Settings to ask for anything."
	}
	out.NewSession = func() *agent.Session { return with.newSession(model, nil) }
	return out, nil
}

// remake is like answering, but reads the key again.
func (a *app) remake(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.key, with.keyFrom = a.source.Held.Or(ctx, findKey)
	a.log.keep(with.key)
	// Flags take precedence over the settings until the user changes the settings.
	flags := *a.options
	if s.ChosenModel() != a.settings.ChosenModel() {
		flags.model, flags.endpoint = "", ""
	}
	if s.MaxSteps != a.settings.MaxSteps {
		flags.maxSteps = 0
	}
	if s.AnswerTimeout != a.settings.AnswerTimeout {
		flags.answerTimeout = 0
	}
	with.options = &flags
	return with.answering(ctx, s, dialogs)
}

// keys returns the functions with which the window stores the key.
func (a *app) keys() *settings.Keys {
	return &settings.Keys{
		From:  a.keyFrom,
		Fixed: a.keyFrom != "" && a.keyFrom != "keyring",
		Save:  func(_ context.Context, key string) error { a.log.keep(key); return saveKey(key) },
		Hold:  a.source.Held.Hold,
		Clear: func(context.Context) error { return a.source.Held.Forget(deleteKey) },
		Models: func(ctx context.Context) ([]string, error) {
			key, _ := a.source.Held.Or(ctx, findKey)
			g, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: key})
			if err != nil {
				return nil, err
			}
			return g.Models(ctx)
		},
	}
}
