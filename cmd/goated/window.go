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

// openWindow runs the window until it closes or ctx ends. If another process shows
// the data folder's window, openWindow raises that one and returns.
func openWindow(ctx context.Context, o *options) error {
	in, err := claim(o.dataDir())
	if errors.Is(err, errRunning) {
		fmt.Fprintln(os.Stderr, "goated is already running. Its window comes to the front.")
		env, err := o.environ()
		if err != nil {
			return err
		}
		return handOver(o.dataDir(), o.servers, env)
	}
	if err != nil { // a second window is better than none
		fmt.Fprintln(os.Stderr, "goated: opening a second window, because the first can't be asked: "+err.Error())
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
	// Fyne saves its preferences once more at the end, through a queue that is just
	// closing, and then sometimes waits forever. The preferences hold only the last
	// folder of a file dialog, and each change is saved anyway.
	if l, ok := program.Lifecycle().(interface{ SetOnStoppedHookExecuted(func()) }); ok {
		l.SetOnStoppedHookExecuted(nil)
	}
	var idle idler
	program.Lifecycle().SetOnStarted(func() { // the first frame is on the screen
		idle.start()
		starting.end()
	})
	w := ui.New(program, ui.Options{
		Post:       idle.post,
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
	go func() { // connect servers once the window is shown
		defer close(connected)
		if !starting.wait(ctx) {
			return
		}
		if err := a.connect(ctx, plain{os.Stderr}); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "goated: a server did not connect. Its card in the window shows the cause")
		}
	}()
	go func() { // listen for second starts
		defer close(heard)
		if in != nil {
			in.serve(ctx, func(k handover) { a.answer(ctx, k, w) })
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

// answer carries out the request of a second start.
func (a *app) answer(ctx context.Context, k handover, w *ui.Window) {
	w.Raise()
	a.log.keepAll(k.Env)
	for _, path := range k.Servers {
		a.later.Go(func() {
			// The card and the log show a failure. The settings may have changed
			// since this process started.
			settings, _ := a.loadSettings() // the start reported unreadable settings
			_, _ = a.host.Connect(ctx, consent.Remembered(settings, client.Config{Path: path, Env: k.Env}))
		})
	}
}

// windowKeyring is the keyring for the window's secrets; nil without a session bus.
func windowKeyring(log *logFile) *config.Keyring {
	if !sessionBus() {
		return nil
	}
	return serverSecrets(log)
}

// ownServers are the names of the bundled servers that start with goated.
func ownServers() []string {
	var names []string
	for _, s := range servers.All() {
		if s.Default {
			names = append(names, s.Name)
		}
	}
	return names
}
