//go:build !headless

package main

import (
	"context"
	"iter"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/models"
	"goated/ui"
	"goated/ui/settings"
)

// first returns what conversations are made with at the start. A keyring may take
// seconds, or ask the user something, and the window does not wait for it: the
// answer is unsure then, and what is said meanwhile waits for the key.
func (a *app) first(ctx context.Context, dialogs *ui.Dialogs) (now ui.Answering, unsure bool, err error) {
	if a.key != "" || a.endpoint != "" || a.settings.Endpoint != "" || !sessionBus() {
		now, err = a.answering(ctx, a.settings, dialogs)
		return now, false, err
	}
	l := &later{found: make(chan struct{})}
	a.later.Go(func() {
		defer close(l.found)
		with := *a
		with.key, with.keyFrom = findKey(ctx)
		a.log.keep(with.key)
		l.model, l.err = with.newModel(ctx, dialogs.Ask)
	})
	return ui.Answering{
		Model:      "…",
		NewSession: func() *agent.Session { return a.newSession(l, nil) },
	}, true, nil
}

// A later is a model that is still being found.
type later struct {
	found chan struct{} // closed when the rest is there
	model agent.Model
	err   error
}

// Generate implements [agent.Model].
func (l *later) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
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

// NeedsAllTools asks the actual model. Until there is one, every tool is declared:
// Offline needs them.
func (l *later) NeedsAllTools() bool {
	select {
	case <-l.found:
		whole, ok := l.model.(interface{ NeedsAllTools() bool })
		return ok && whole.NeedsAllTools()
	default:
		return true
	}
}

// answering returns what conversations are made with, by the settings and the key.
func (a *app) answering(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.settings = s
	model, err := with.newModel(ctx, dialogs.Ask)
	if err != nil {
		return ui.Answering{}, err
	}
	out := ui.Answering{Model: models.Title(model.Ref()), Ref: model.Ref(), KeyFrom: a.keyFrom}
	if model.NeedsAllTools() && s.Endpoint != config.NoModel {
		out.Notice = "No model. goated finds the tool in your words. Add a Gemini key in Settings to ask for anything."
	}
	out.NewSession = func() *agent.Session { return with.newSession(model, nil) }
	return out, nil
}

// remake is answering with the key as it is now.
func (a *app) remake(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.key, with.keyFrom = findKey(ctx)
	a.log.keep(with.key)
	// A flag goes before the settings until the user changes them.
	flags := *a.options
	if s.Chosen() != a.settings.Chosen() {
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

// keys keep the key for the window.
func (a *app) keys() *settings.Keys {
	return &settings.Keys{
		From:  a.keyFrom,
		Fixed: a.keyFrom != "" && a.keyFrom != "keyring",
		Save: func(_ context.Context, key string) error {
			a.log.keep(key)
			return saveKey(key)
		},
		Clear: func(context.Context) error { return deleteKey() },
		Models: func(ctx context.Context) ([]string, error) {
			key, _ := findKey(ctx)
			g, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: key})
			if err != nil {
				return nil, err
			}
			return g.Models(ctx)
		},
	}
}
