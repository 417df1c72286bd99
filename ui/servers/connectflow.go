package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/paths"
	"goated/ui/confinement"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// Connect opens the sheet that connects servers.
func (ps *Pages) Connect() {
	if ps.Connector == nil {
		connectFlow{ps}.findElsewhere(ps.openConnect())
	}
}

// openConnect opens the sheet, without the servers of other clients.
func (ps *Pages) openConnect() *connectSheet {
	home, _ := os.UserHomeDir() // if empty, ~ is an ordinary name
	c := newConnectSheet(ps.Clock, func() time.Time { return ps.Now() }, ps.Tips, home, ps.Secrets.Persistent())
	flow := connectFlow{ps}
	c.read.Foreseen = confinement.Foreseen{Sandbox: Sandbox(ps), Private: ps.Private, Guards: ps.Guards, Redraw: c.understand, Keeps: flow.withKeptPermissions}
	c.OnRead = func(text string) (launch.Reading, error) {
		return launch.Understand(text, launch.Here(flow.lookPath()))
	}
	c.read.bring = func(command string) fyne.CanvasObject {
		return newInstallButton(flow.Pages, command, c.Refit, c.understand)
	}
	c.OnConnect, c.OnConnectAll = flow.connect, flow.connectAll
	c.OnAgain = func(l config.Launch) { c.last = attempt{}; flow.reconnect(l, false) }
	c.OnEdit = func(l config.Launch) { c.last = attempt{}; flow.reconnect(l, true) }
	c.OnCancel, c.OnKeep = flow.cancel, ps.closeConnect
	c.OnBrowse = flow.browse
	if c.finds.Hidden = ps.Catalog == nil; ps.Catalog != nil {
		c.OnSearch, c.OnNamed, c.OnBundle = ps.Catalog.Search, flow.reads(ps.Catalog.Named), flow.reads(ps.Catalog.Bundle)
	}
	c.OnDisconnect = flow.dismiss
	c.OnCopy = ps.Copy
	c.OnVisit = func(s client.Server) { ps.OpenServer(s.ID, "") }
	c.OnForget = flow.forget
	c.OnRestart, c.OnOpen, c.OnReplace = ps.Restart, ps.Reveal, flow.replaceScript
	c.OnAllow, c.OnFree = ps.allowChosen, ps.Unconfine
	c.OnSet = func(s client.Server) { edit(ps, s) }
	c.OnLink, c.OnLookIn = ps.OpenLink, ps.restartLookingIn
	c.OnBring = func(command string, then func()) fyne.CanvasObject {
		return newInstallButton(flow.Pages, command, c.Refit, then)
	}
	c.OnLog = func(s client.Server) { ps.OpenServerAt(s.ID, ServerLog) }
	c.recent = ps.Settings.Recent
	ps.Connector = c
	c.show(ps.Snapshot)
	ps.Sheets.Open(c.Sheet)
	return c
}

// closeConnect closes the sheet and cancels a connection or an installation in progress.
func (ps *Pages) closeConnect() {
	connectFlow{ps}.stopReading()
	if ps.connecting != nil {
		ps.connecting()
		ps.connecting = nil
	}
	if c := ps.Connector; c != nil {
		ps.Connector = nil
		c.spin.SetRunning(false)
		c.runCountdowns(false)
		ps.Sheets.Shut(c.Sheet)
	}
}

// A connectFlow connects the server of the open sheet and shows the outcome.
type connectFlow struct{ *Pages }

// lookPath returns the function with which the host finds programs. Without a host it returns nil,
// and goated's own search path counts.
func (f connectFlow) lookPath() func(program string) (string, error) {
	if f.Host == nil {
		return nil
	}
	return client.LookPathFunc(f.Host)
}

// reconnect connects a recent server. If edit is true, or if a secret of its environment is
// missing, it opens the form instead.
func (f connectFlow) reconnect(l config.Launch, edit bool) {
	c := f.Connector
	f.stopReading()
	f.Go(func() {
		env, missing := f.Secrets.Fill(l.Env)
		headers, more := f.Secrets.Fill(l.Headers)
		missing = append(missing, more...)
		f.Post(func() {
			if f.Connector != c || c.Path.Disabled() { // another press was faster
				return
			}
			l.Env, l.Headers = env, headers
			if c.edit != nil && !c.edit.failed {
				c.edit.was = l
			}
			if !edit && len(missing) == 0 {
				f.connect(l)
				return
			}
			c.Fill(l)
			if edit && c.last.chosen {
				c.lead()
			}
			if len(missing) > 0 {
				var names []string
				for _, m := range missing {
					names = append(names, m.Name)
				}
				c.showMessage(format.Plural(len(names), "No value is stored for %[2]s.", "No values are stored for %[2]s.", strings.Join(names, ", ")), "Enter what is missing, then connect.")
				if row := c.form.Vars.Find(names[0]); row != nil {
					kit.Focus(row.Value)
				}
			}
		})
	})
}

// connect connects a server. This may take half a minute.
func (f connectFlow) connect(l config.Launch) {
	if f.Secrets.Persistent() {
		l = l.WithoutSecrets()
	}
	c := f.Connector
	last := c.last
	start, typed := f.configOf(l), l
	if last.chosen && last.launch.SameProgram(l) {
		start = configReplacing(l, f.attemptLaunch(last))
	}
	known := f.attemptLaunch(last)
	more := len(confinement.WithAgreed(known, l.Allowed).Allowed) > len(known.Allowed) // a restart in place keeps the permissions
	if l.Path != "" {
		l.Path = paths.Absolute(l.Path)
	}
	if s, runs := f.isRunning(last); runs {
		switch {
		case !last.chosen && l.Equal(last.launch): // goated restarted it after a change of its script
			closeConnected(f.Pages, s)
			return
		case last.chosen && !more && (l.Equal(last.launch) || last.launch.RestartsAs(l)):
			f.change(c, s, l)
			return
		case !last.chosen && !l.Same(last.launch):
			last = attempt{} // the last server works, so l is a different one
		}
	}
	if last.held && !l.Same(last.launch) {
		last = attempt{} // the server that the settings already contained is a different one
	}
	ctx, cancel := context.WithCancel(f.Ctx)
	f.connecting = cancel
	c.setTried(typed)
	c.busy(true)
	f.Go(func() {
		defer cancel()
		if err := start.Check(); err != nil && last.chosen { // the running server continues
			f.Post(func() { f.connected(c, client.Server{}, err) })
			return
		}
		f.removeFailed(ctx, l, last.id)
		if last.chosen && last.id != "" {
			_ = f.Host.Disconnect(ctx, last.id) // an error means that it is gone already or that the window closes
		}
		if isCorrection(l, last) && l.SameProgram(last.launch) {
			client.KeepFolder(f.Host, consent.ConfigOf(last.launch), start)
		}
		id, err := f.Host.Connect(ctx, start)
		s, listed := f.outcome(id, l)
		if listed && isCorrection(l, last) && !l.Same(last.launch) {
			f.removeFailed(ctx, last.launch, "")
		}
		f.Post(func() {
			if f.recordAttempt(c, s.ID, err) {
				return
			}
			if listed {
				held := f.hasSaved(l, last)
				if err != nil && held {
					f.Change(f.Settings.WithStart(l, true)) // saves it as on, with its existing values, which may be the working ones
				} else {
					f.saveStarted(l, last)
				}
				c.last = attempt{launch: l, id: s.ID, chosen: last.chosen, linked: last.linked, held: held}
				if last.linked {
					f.ofFiles = append(f.ofFiles, s.ID)
				}
			}
			f.connected(c, s, err)
		})
	})
}

// configOf returns the configuration with which the host runs a launch. It includes the
// permissions in the settings and those to which the user has just agreed.
func (f connectFlow) configOf(l config.Launch) client.Config {
	return configReplacing(l, f.Settings.Saved(l))
}

// configReplacing is like configOf for a launch that replaces known. It keeps the permissions of known.
func configReplacing(l, known config.Launch) client.Config {
	known.Allowed = confinement.WithAgreed(known, l.Allowed).Allowed
	return consent.WithPermissions(consent.ConfigOf(l), known)
}

// attemptLaunch returns the server of an attempt with the permissions from the settings. If the user
// edits it while it runs, it also has the permissions of its command-line options, such as
// --no-sandbox.
func (f connectFlow) attemptLaunch(a attempt) config.Launch {
	known := f.Settings.Saved(a.launch)
	if _, now, runs := f.launchOf(a.id); runs && a.chosen {
		known.NoSandbox = known.NoSandbox || now.NoSandbox
		known = confinement.WithAgreed(known, now.Grant.Permissions())
	}
	return known
}

// withKeptPermissions returns the form's server with the permissions that configReplacing keeps for it.
func (f connectFlow) withKeptPermissions(s launch.Server) config.Launch {
	c, l := f.Connector, config.FromText(s)
	if c == nil {
		return l // the sheet has closed
	}
	if l.Name = strings.TrimSpace(c.read.name.Text); c.last.chosen && c.last.launch.SameProgram(l) {
		return f.attemptLaunch(c.last)
	}
	return f.Settings.Saved(l)
}

// connectAll saves and connects several servers of one text, and closes the sheet. The page of
// each server shows the result.
func (f connectFlow) connectAll(list []config.Launch) {
	off := 0
	for _, l := range list {
		if l.Off && slices.ContainsFunc(slices.Concat(l.Env, l.Headers), func(v config.Variable) bool { return v.Ref != "" && v.Value == "" }) {
			off++
		}
		if f.Secrets.Persistent() {
			l = l.WithoutSecrets()
		}
		f.storeSecrets(l, func(kept config.Launch) {
			f.Change(f.Settings.WithRecent(kept).WithStart(kept, !kept.Off).ChangeServer(kept, consent.AllowAll(kept.Allowed, f.Now())))
		})
		if l.Off {
			continue
		}
		start := f.configOf(l)
		startSaved(f.Pages, start)
	}
	f.closeConnect()
	said := view.ServerCount(len(list)) + " added"
	if off > 0 {
		said += format.Plural(off, ". 1 is off until you enter its values", ". %d are off until you enter their values")
	}
	f.Toasts.Say("check", said)
}

// forget removes a server from the recent and the saved ones.
func (f connectFlow) forget(l config.Launch) {
	f.Change(f.Settings.WithoutRecent(l).WithoutStart(l))
	if c := f.Connector; c != nil {
		c.recent = f.Settings.Recent
		c.show(f.Snapshot)
	}
}

// connected shows the outcome of a connection. The user may have closed the sheet in the
// meantime.
func (f connectFlow) connected(c *connectSheet, s client.Server, err error) {
	if f.Connector != c {
		return
	}
	f.connecting = nil
	c.busy(false)
	switch {
	case errors.Is(err, context.Canceled):
	case err != nil:
		if !slices.ContainsFunc(f.Host.Snapshot().Servers, c.failedFromForm) {
			c.Fail(err) // no server started; otherwise its own card shows the error
		}
		pointToFailure(c)
		c.Body.Scroll.ScrollToTop()
		kit.Focus(c.Path)
	default:
		closeConnected(f.Pages, s)
	}
}

// Disconnect disconnects a server and shows a toast. It removes a failed server from the list.
func (ps *Pages) Disconnect(s client.Server) {
	disconnect(ps, s, func() { ps.Toasts.Say("check", fmt.Sprintf("Disconnected from %s", s.Name)) })
}

// DisconnectSilently disconnects a server without a toast, because the caller reports its removal.
func DisconnectSilently(ps *Pages, s client.Server) { disconnect(ps, s, func() {}) }

func disconnect(ps *Pages, s client.Server, said func()) {
	ps.Go(func() {
		err := ps.Host.Disconnect(ps.Ctx, s.ID)
		ps.Post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				ps.Alert(err)
			case err == nil && s.Status != client.Failed:
				said()
			}
		})
	})
}

// replaceScript lets the user choose another script for a server and keeps its other
// settings.
func (f connectFlow) replaceScript(s client.Server) {
	if l, _, ok := f.launchOf(s.ID); ok {
		f.Connector.last = attempt{launch: l, id: s.ID, chosen: true}
		f.Connector.Fill(l)
	}
	f.browse()
}

// browse opens a file dialog for a script or a program.
func (f connectFlow) browse() {
	c := f.Connector
	f.Sheets.ChooseFile("Choose", func(path string) {
		c.Path.Put(path)
		c.understand()
	}, c.Fail)
}
