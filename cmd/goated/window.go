//go:build !headless

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	fyneapp "fyne.io/fyne/v2/app"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/store"
	"goated/servers"
	"goated/ui"
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
		fmt.Fprintln(os.Stderr, "goated: a second start opens a window of its own: "+err.Error())
	} else {
		defer in.close()
	}

	starting := newStart()
	dialogs := ui.NewDialogs()
	a, err := o.open(dialogs.Elicit, dialogs.Unconfined, environmentKey)
	if err != nil {
		return err
	}
	defer a.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // before a.close, which waits
	now, unsure, err := a.first(ctx, dialogs)
	if err != nil {
		return err
	}
	history := store.Start(ctx, o.historyFile())
	defer func() {
		if err := history.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "goated: "+err.Error())
		}
	}()
	scale := newScale()
	scale(a.settings.Percent())
	program := fyneapp.NewWithID("goated")
	// Fyne has its preferences saved once more when all is over, by a queue that
	// is just being closed: now and then it then waits for ever. They hold no more
	// than the last folder of a file dialog, and are saved with each change.
	if l, ok := program.Lifecycle().(interface{ SetOnStoppedHookExecuted(func()) }); ok {
		l.SetOnStoppedHookExecuted(nil)
	}
	var resting rest
	program.Lifecycle().SetOnStarted(func() { // the first frame is on the screen
		resting.start()
		starting.end()
	})
	w := ui.New(program, ui.Options{
		Post:       resting.post,
		Host:       a.host,
		NewSession: now.NewSession,
		History:    history,
		Dialogs:    dialogs,
		Model:      now.Model,
		Notice:     now.Notice,
		Unsure:     unsure,
		Warnings:   a.warnings,
		Settings:   a.settings,
		Save:       func(s config.Settings) error { return o.kept().Save(s) },
		Keys:       a.keys(),
		Keyring:    windowKeyring(a.log),
		Policy:     a.policy,
		Remake: func(ctx context.Context, s config.Settings) (ui.Answering, error) {
			return a.remake(ctx, s, dialogs)
		},
		Bundled: ownServers(),
		DataDir: o.dataDir(),
		LogFile: filepath.Join(o.dataDir(), "logs", "goated.log"),
		Scale:   scale,
		Room:    room,
		Notify:  notifier(program),
		Tray:    hasTray(program),
		Unread:  trayMark(program),
	})
	addTray(program, w)

	connected, heard, settled := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() { // servers come while the window is already there
		defer close(connected)
		if !starting.wait(ctx) {
			return
		}
		if err := a.connect(ctx, plain{os.Stderr}); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "goated: a server did not connect; Connect tool in the window says why")
		}
	}()
	go func() { // a second start comes here
		defer close(heard)
		if in != nil {
			in.serve(ctx, func(k knock) { a.answer(ctx, k, w) })
		}
	}()
	go func() {
		defer close(settled)
		starting.settle(ctx)
	}()
	w.Run(ctx)
	cancel()
	<-connected
	<-heard
	<-settled
	return nil
}

// answer does what a second start says.
func (a *app) answer(ctx context.Context, k knock, w *ui.Window) {
	w.Raise()
	a.log.keepAll(k.Env)
	for _, path := range k.Servers {
		a.later.Go(func() {
			// Why it failed is on its card, and in the log.
			// The settings may have changed since this one started.
			settings, _ := a.loadSettings() // what can't be read was told at the start
			_, _ = a.host.Connect(ctx, consent.Remembered(settings, client.Config{Path: path, Env: k.Env}))
		})
	}
}

// windowKeyring is the keyring that the window saves secrets in; nil where no
// keyring can answer.
func windowKeyring(log *logFile) *config.Keyring {
	if !sessionBus() {
		return nil
	}
	return serverSecrets(log)
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
