//go:build !headless

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	fyneapp "fyne.io/fyne/v2/app"

	"goated/agent"
	"goated/client"
	"goated/internal/store"
	"goated/servers"
	"goated/ui"
	"goated/ui/view"
)

const hasWindow = true

// openWindow runs the window until it is closed, or ctx ends. If the data
// folder's window is open already, that one comes to the front.
func openWindow(ctx context.Context, o *options) error {
	in, err := claim(o.dataDir())
	if errors.Is(err, errRunning) {
		fmt.Fprintln(os.Stderr, "goated is running already; its window comes to the front.")
		env, err := o.environ()
		if err != nil {
			return err
		}
		return knockAt(o.dataDir(), o.servers, env)
	}
	if err != nil { // two windows are better than none
		fmt.Fprintln(os.Stderr, "goated: "+sentence(err))
	} else {
		defer in.close()
	}

	dialogs := ui.NewDialogs()
	a, err := o.open(dialogs.Elicit)
	if err != nil {
		return err
	}
	defer a.close()
	now, err := a.answering(ctx, a.settings, dialogs)
	if err != nil {
		return err
	}
	history, err := store.Open(ctx, filepath.Join(o.dataDir(), "history.db"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "goated: conversations are not kept: "+err.Error())
	} else {
		defer func() {
			if err := history.Close(); err != nil {
				fmt.Fprintln(os.Stderr, "goated: "+err.Error())
			}
		}()
	}
	scale := newScale()
	scale(a.settings.Percent())
	program := fyneapp.NewWithID("goated")
	w := ui.New(program, ui.Options{
		Host:       a.host,
		NewSession: now.NewSession,
		History:    history,
		Dialogs:    dialogs,
		Model:      now.Model,
		Notice:     now.Notice,
		Settings:   a.settings,
		Save:       func(s view.Settings) error { return saveSettings(o.settingsFile(), s) },
		Keys:       a.keys(),
		Secrets:    secrets(),
		Policy:     a.policy,
		Remake: func(ctx context.Context, s view.Settings) (ui.Answering, error) {
			return a.remake(ctx, s, dialogs)
		},
		Bundled: ownServers(),
		DataDir: o.dataDir(),
		LogFile: filepath.Join(o.dataDir(), "logs", "goated.log"),
		Scale:   scale,
		Notify:  notifier(program),
		Tray:    hasTray(program),
	})
	addTray(program, w)

	ctx, cancel := context.WithCancel(ctx)
	connected, heard := make(chan struct{}), make(chan struct{})
	go func() { // servers come while the window is already there
		defer close(connected)
		if err := a.connect(ctx, os.Stderr); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "goated: a server did not connect; Connect tool in the window says why")
		}
	}()
	go func() { // a second start comes here
		defer close(heard)
		if in != nil {
			in.serve(ctx, func(k knock) { a.answer(ctx, k, w) })
		}
	}()
	w.Run(ctx)
	cancel()
	<-connected
	<-heard
	return nil
}

// answer does what a second start says.
func (a *app) answer(ctx context.Context, k knock, w *ui.Window) {
	w.Raise()
	for _, path := range k.Servers {
		a.later.Go(func() {
			// Why it failed is on its card, and in the log.
			_, _ = a.host.Connect(ctx, client.Config{Path: path, Env: k.Env})
		})
	}
}

// ownServers are the names of goated's own servers that start with it.
func ownServers() []string {
	var names []string
	for _, s := range servers.All() {
		if s.Default {
			names = append(names, s.Name)
		}
	}
	return names
}

// answering is what conversations are made with, by the settings and the key.
func (a *app) answering(ctx context.Context, s view.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.settings = s
	model, name, err := with.newModel(ctx, dialogs.Ask)
	if err != nil {
		return ui.Answering{}, err
	}
	out := ui.Answering{Model: name, KeyFrom: a.keyFrom}
	if name == "offline" {
		out.Notice = "No model is answering: no Gemini key is set. goated finds the tool that fits your words; /tool {…} calls one directly."
	}
	out.NewSession = func() *agent.Session { return with.newSession(model, dialogs.Approve) }
	return out, nil
}

// remake is answering with the key as it is now.
func (a *app) remake(ctx context.Context, s view.Settings, dialogs *ui.Dialogs) (ui.Answering, error) {
	with := *a
	with.key, with.keyFrom = findKey()
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
func (a *app) keys() *ui.Keys {
	return &ui.Keys{
		From:  a.keyFrom,
		Fixed: a.keyFrom != "" && a.keyFrom != "keyring",
		Save: func(_ context.Context, key string) error {
			a.log.keep(key)
			return saveKey(key)
		},
		Clear: func(context.Context) error { return deleteKey() },
		Models: func(ctx context.Context) ([]string, error) {
			key, _ := findKey()
			g, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: key})
			if err != nil {
				return nil, err
			}
			return g.Models(ctx)
		},
	}
}
