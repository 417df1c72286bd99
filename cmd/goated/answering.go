//go:build !headless

package main

import (
	"context"
	"iter"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/config"
	"goated/ui"
	"goated/ui/settings"
)

// first is what conversations are made with at the start. A keyring may take
// seconds, or ask the person something, and the window does not wait for it: the
// answer is unsure then, and what is said meanwhile waits for the key.
func (a *app) first(ctx context.Context, dialogs *ui.Dialogs) (now ui.Answering, unsure bool, err error) {
	if a.key != "" || !sessionBus() {
		now, err = a.answering(ctx, a.settings, dialogs)
		return now, false, err
	}
	l := &later{found: make(chan struct{})}
	a.later.Go(func() {
		defer close(l.found)
		with := *a
		with.key, with.keyFrom = findKey(ctx)
		a.log.keep(with.key)
		l.model, _, l.err = with.newModel(ctx, dialogs.Ask)
	})
	return ui.Answering{
		Model:      "…",
		NewSession: func() *agent.Session { return a.newSession(l, dialogs.Approve) },
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

// answering is what conversations are made with, by the settings and the key.
func (a *app) answering(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.settings = s
	model, name, err := with.newModel(ctx, dialogs.Ask)
	if err != nil {
		return ui.Answering{}, err
	}
	out := ui.Answering{Model: name, KeyFrom: a.keyFrom}
	if name == "offline" {
		out.Notice = "No model is answering, because no Gemini key is set. goated looks for the tool that fits your words. /tool {…} calls one directly."
	}
	out.NewSession = func() *agent.Session { return with.newSession(model, dialogs.Approve) }
	return out, nil
}

// remake is answering with the key as it is now.
func (a *app) remake(ctx context.Context, s config.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.key, with.keyFrom = findKey(ctx)
	a.log.keep(with.key)
	// A flag goes before the settings until the person changes them.
	flags := *a.options
	if s.Model != a.settings.Model {
		flags.model = ""
	}
	if s.MaxSteps != a.settings.MaxSteps {
		flags.maxSteps = 0
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
