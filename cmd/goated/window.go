//go:build !headless

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"goated/client"
	"goated/internal/clipboard"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/crashlog"
	_ "goated/internal/fynelocale" // it has to run before Fyne does
	"goated/internal/inspect"
	"goated/internal/instance"
	"goated/internal/linked"
	"goated/internal/modelkey"
	"goated/internal/notify"
	"goated/internal/sandbox"
	"goated/internal/store"
	"goated/internal/terminal"
	"goated/servers/desktop/live"
	"goated/servers/llmem"
	"goated/servers/pause/history"
	"goated/servers/pause/picture"
	"goated/ui"
)

const hasWindow = true

// openWindow runs the window until it closes or ctx ends. If another process already shows the
// window of the data folder, openWindow brings that to the front and returns.
func openWindow(ctx context.Context, o *options) error {
	in, err := instance.Claim(o.dataDir())
	if errors.Is(err, instance.ErrRunning) {
		fmt.Fprintln(os.Stderr, "goated is already running. Its window comes to the front.")
		return o.handOverServers(ctx, os.Stderr)
	}
	if err != nil { // a second window is better than none
		fmt.Fprintln(os.Stderr, "goated: opening a second window, because the first can't be asked: "+err.Error())
	} else {
		defer in.Close()
	}

	start := newStartup()
	dialogs := ui.NewDialogs()
	a, err := openForWindow(o, dialogs)
	if err != nil {
		return err
	}
	defer a.close()
	if in != nil {
		reportFaults(a)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // runs before a.close, which waits
	options, err := a.windowOptions(ctx, dialogs)
	if err != nil {
		return err
	}
	var notices notify.Session
	defer notices.Close()
	options.History = store.Start(ctx, o.historyFile())
	defer func() {
		if err := options.History.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "goated: "+err.Error())
		}
	}()
	defer backUp(ctx, options.History)() // runs before the history is closed
	scale := newScale()
	scale(a.settings.Percent())
	program := newProgram()
	var idle idler
	program.Lifecycle().SetOnStarted(func() { // the first frame is on the screen
		idle.start()
		start.end()
	})
	options.Post = idle.post
	options.Desktop = ui.DesktopOptions{
		Scale: scale, Room: room, OpenGL: true, Notify: notifier(program), Tray: hasTray(program), Unread: trayMark(program), Clipboard: clipboard.Read, Pictures: picture.Desktop{}, Notices: notices.Show,
	}
	w := ui.New(program, options)
	addTray(program, w)
	closeDialogSocket := openDialogSocket(dialogsDir(o.dataDir()), a.log.Logger, dialogs)
	defer closeDialogSocket()

	a.tools.Hold() // until connect has announced each server
	var beside sync.WaitGroup
	follower := a.follower(terminal.Plain{To: os.Stderr})
	beside.Go(func() { connectShown(ctx, a, follower, start) })
	beside.Go(func() { _ = follower.Run(ctx) })
	if in != nil { // handle later starts
		beside.Go(func() { instance.Serve(ctx, in, func(k handover) { a.answer(ctx, k, w) }) })
	}
	beside.Go(func() { start.settle(ctx) })
	w.Run(ctx)
	cancel()
	beside.Wait()
	return nil
}

// openForWindow opens the app. Its servers ask their questions in dialogs.
func openForWindow(o *options, dialogs *ui.Dialogs) (*app, error) {
	o.tap.Live = new(inspect.Recorder)
	o.signIn, o.permit, o.repeat, o.dialogs = dialogs.SignIn, dialogs.Permit, dialogs.Repeat, true
	o.fromMenu = fromDesktop()
	var elsewhere error
	if o.fromMenu {
		s, warning := o.loadSettings()
		elsewhere = cmp.Or(warning, s.ChangeDir())
	}
	a, err := o.open(dialogs.Elicit, dialogs.Unconfined, modelkey.EnvironmentKey)
	if err != nil {
		return nil, err
	}
	if elsewhere != nil {
		a.warnings = append(a.warnings, elsewhere)
	}
	a.live = live.NewView()
	return a, nil
}

// reportFaults stores a report if the window crashes. If it crashed before, reportFaults adds a
// warning.
func reportFaults(a *app) {
	report, err := crashlog.Start(filepath.Join(a.dataDir(), "logs"))
	if err != nil {
		a.warnings = append(a.warnings, err)
	}
	if report != nil {
		a.warnings = append(a.warnings, fmt.Errorf("goated ended because of a fault of its own on %s. Its report is in %s, and was sent nowhere. Your conversations are saved", report.At.Format("2 January, 15:04"), report.File))
	}
}

// windowOptions returns the window's options that do not need the Fyne app.
func (a *app) windowOptions(ctx context.Context, dialogs *ui.Dialogs) (ui.Options, error) {
	now, provisional, err := a.initialAnswering(ctx, dialogs)
	if err != nil {
		return ui.Options{}, err
	}
	asked, err := history.Open(filepath.Join(a.dataDir(), "dialogs.jsonl"))
	if err != nil {
		a.warnings = append(a.warnings, err)
	}
	installer := a.installer()
	return ui.Options{
		Host: a.host,
		Agent: ui.AgentOptions{
			NewSession: now.NewSession, Model: now.Model, Notice: now.Notice, Ref: now.Ref, Models: a.source,
			Unsure: provisional, Tools: a.tools,
			Keys: a.keys(),
			Remake: func(ctx context.Context, s config.Settings) (ui.Answering, error) {
				return a.remake(ctx, s, dialogs)
			},
		},
		Dialogs:       dialogs,
		Warnings:      a.warnings,
		Settings:      a.settings,
		Save:          func(s config.Settings) error { return a.settingsStore().Save(s) },
		Keyring:       windowKeyring(a.log),
		Policy:        a.policy,
		Bundled:       ownServers(),
		SwitchBundled: func(b config.Bundled, on bool) { a.switchBundled(ctx, b, on) },
		Files:         ui.Files{DataDir: a.dataDir(), LogFile: filepath.Join(a.dataDir(), "logs", "goated.log"), Guards: sandbox.Probe().Guards, Installer: &installer, OtherApps: true},
		Pages:         ui.PageOptions{Recorder: a.tap.Live, Browse: llmem.Browser(a.dataDir()), Folder: llmem.Project(), Asked: asked, Desktop: a.live, Refused: a.quarantine()},
	}, nil
}

// backUp backs up the history. The returned function stops the backup and waits for its end.
func backUp(ctx context.Context, history *store.Store) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var backup sync.WaitGroup
	backup.Go(func() {
		if path, err := history.Backup(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the history was not backed up", "message", err.Error())
		} else if path != "" {
			slog.InfoContext(ctx, "the history is backed up", "path", path)
		}
	})
	return func() {
		cancel()
		backup.Wait()
	}
}

// newProgram creates the Fyne app.
func newProgram() fyne.App {
	const id = "goated"
	// Fyne looks whether each refresh is on the UI goroutine, for programs that are older than
	// fyne.Do. It reads the goroutine's number from a stack trace, which took a twentieth of what
	// the window computes. "make racewindow" checks it with all scripts of the window.
	fyneapp.SetMetadata(fyne.AppMetadata{ID: id, Version: "0.0.1", Build: 1, Migrations: map[string]bool{"fyneDo": !raceDetector}})
	program := fyneapp.NewWithID(id)
	// Fyne saves its preferences once more at the end, through a queue that is just closing, and
	// then sometimes waits forever. The preferences contain only the last folder of a file dialog,
	// and each change is saved anyway.
	if l, ok := program.Lifecycle().(interface{ SetOnStoppedHookExecuted(func()) }); ok {
		l.SetOnStoppedHookExecuted(nil)
	}
	return program
}

// connectShown connects the servers once the window is visible. f starts those of linked files.
func connectShown(ctx context.Context, a *app, f *linked.Follower, start *startup) {
	defer a.tools.Release()
	if !start.wait(ctx) {
		return
	}
	failed, err := a.connect(ctx, terminal.Plain{To: os.Stderr}, nil, f)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		fmt.Fprintln(terminal.Plain{To: os.Stderr}, "goated: "+terminal.Sentence(err))
	case failed != failures{}:
		fmt.Fprintln(os.Stderr, "goated: a server did not connect. Its card in the window shows the cause")
	}
}

// handOverServers sends the servers of --server to the open window. It also prints on w which of
// them cannot start, because the user is looking at the terminal. It fails if none can start.
func (o *options) handOverServers(ctx context.Context, w io.Writer) error {
	if err := o.given.Check(); err != nil {
		return err
	}
	s, _ := o.loadSettings() // the open window reports unreadable settings
	a := &app{options: o, settings: s}
	given, err := a.asked(ctx, terminal.Plain{To: w}, nil)
	if err != nil {
		return err
	}
	var k handover
	var failed failures
	for _, g := range given {
		// A URL may lack values that the window reads from the keyring.
		if err := g.config.Check(); err != nil && g.config.URL == "" {
			failed.given++
			(&pendingServer{label: g.DisplayName(), err: err, given: true}).print(terminal.Plain{To: w})
		}
		l := g.Launch
		l.Allowed = g.config.Grant.Permissions()
		k.Servers = append(k.Servers, l)
	}
	if err := instance.Send(o.dataDir(), k); err != nil || failed.given < len(given) {
		return err
	}
	return failed.status()
}

// answer handles the request of a second start or of "goated servers".
func (a *app) answer(ctx context.Context, k handover, w *ui.Window) {
	if k.Edit != nil {
		select { // the command reads the settings as soon as it has the response
		case <-w.Edit(k.Edit.apply):
		case <-ctx.Done():
		}
		a.later.Go(func() { a.applyEdit(ctx, *k.Edit) })
		return
	}
	w.Raise()
	for _, l := range k.Servers {
		if slices.ContainsFunc(a.host.Snapshot().Servers, func(s client.Server) bool {
			return s.Status != client.Failed && len(l.Env) == 0 && consent.LaunchOfServer(s).Same(l)
		}) {
			continue // it is already running
		}
		a.log.keepAll(config.Environ(l.Env))
		a.later.Go(func() { _ = a.connectSaved(ctx, l) }) // its card and the log show a failure
	}
}

// connectSaved connects a server with the values of its variables from the keyring.
func (a *app) connectSaved(ctx context.Context, l config.Launch) error {
	_, err := client.ConnectSaved(ctx, a.host, a.withSecrets(consent.ConfigOf(l), l))
	return err
}

// applyEdit applies an edit of the settings to the window's running servers.
func (a *app) applyEdit(ctx context.Context, e edit) {
	for _, s := range a.host.Snapshot().Servers {
		if e.updates() && consent.LaunchOfServer(s).Same(e.Over) {
			_ = a.host.Disconnect(ctx, s.ID) // the updated server starts in its place
		}
	}
	if e.updates() {
		client.KeepFolder(a.host, consent.ConfigOf(e.Over), consent.ConfigOf(e.Add[0]))
	}
	for _, l := range e.Add {
		if !l.Off {
			_ = a.connectSaved(ctx, l)
		}
	}
	for _, s := range a.host.Snapshot().Servers {
		if !strings.EqualFold(s.Name, e.Name) && !strings.EqualFold(consent.LaunchOfServer(s).DisplayName(), e.Name) {
			continue
		}
		switch e.Verb {
		case "restart":
			_ = a.host.Restart(ctx, s.ID)
		case "signout":
			_ = client.SignOut(ctx, a.host, s.ID) // the next start asks the user to sign in
		case "remove", "disable":
			_ = a.host.Disconnect(ctx, s.ID)
		}
	}
	if e.Verb != "enable" && e.Verb != "disable" {
		return
	}
	settings, _ := a.loadSettings()
	if l, ok := e.enabled(settings); ok { // a saved server precedes a bundled one of its name
		if e.Verb == "enable" {
			_ = a.connectSaved(ctx, l)
		}
		return
	}
	for _, b := range ownServers() {
		if b.Name == e.Name {
			a.switchBundled(ctx, settings.BundledWithSwitches(b), e.Verb == "enable")
		}
	}
}

// windowKeyring returns the keyring for the window's secrets, or nil if there is no session bus.
func windowKeyring(log *logFile) *config.Keyring {
	if !sessionBus() {
		return nil
	}
	return serverSecrets(log)
}
