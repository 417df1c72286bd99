// Package servers draws the sheet that connects MCP servers, the page of each
// server, and the questions about permissions. It owns the permission requests
// of this run; the host owns the servers, and the shell the settings. It must
// not know conversations.
package servers

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/linked"
	"goated/internal/programs"
	"goated/internal/quarantine"
	"goated/internal/sandbox"
	"goated/internal/transfer"
	"goated/ui/result"
	"goated/ui/shell"
	"goated/ui/view"
)

// Pages are the sheet that connects servers and the page of each server. Their
// fields and methods belong to the UI goroutine.
type Pages struct {
	*shell.Shell
	Host    *client.Host    // nil: there are no servers
	Policy  *consent.Policy // nil: there are no grants
	Secrets *config.Secrets
	Refused *quarantine.List // the tools that services of models refused; nil: none
	Computer

	Snapshot  client.Snapshot
	Requests  consent.Requests       // by LaunchLine
	Connector *connectSheet          // nil unless open
	Page      *serverPage            // nil unless open
	left      map[string]*serverPage // by ID: the closed pages with a call that ran then
	starts

	Question func(context.Context, shell.Question) (any, error) // blocks until the user answers

	Catalog Installer // nil: nothing can be installed
	On      Hooks
}

// starts are the servers that the user has told goated to start.
type starts struct {
	connecting context.CancelFunc // of the sheet; nil: it connects none
	saved      []config.Launch    // which [Run] starts
	failed     []string           // the ids of servers that have never started
	ofFiles    []string           // the ids of servers of linked files that the user has edited
}

// Hooks are what the window does for the pages.
type Hooks struct {
	Prompt func(text string) // puts the text of a prompt into the composer and closes all sheets

	// Permitted runs when a server has restarted with a permission that it lacked. It reports
	// whether it has told the user; nil: nothing does.
	Permitted func(client.Server) bool

	Results  result.Host                         // how the page of a tool shows and saves what it returned
	ReadLink func(server string, link view.Part) // reads the resource of a link, and shows it; nil: nothing does

	Granted  func() // runs when the user kept or revoked a grant of a tool; nil: nothing does
	Starting func() // runs when another server starts, or one has started; nil: nothing does
	Closed   func() // runs when the page of a server has closed; nil: nothing does

	Bundled []config.Bundled           // goated's own servers
	Switch  func(config.Bundled, bool) // starts or stops one of them
}

// A Computer is what the pages know of this computer. The zero value knows nothing more than
// the system says.
type Computer struct {
	Private   []string                // goated's own folders, with their links resolved
	Guards    bool                    // the system protects files in the folders that servers write, see [sandbox.Status]
	Probe     func() sandbox.Status   // what this system can enforce; nil: [sandbox.Probe] says it
	Elsewhere func() []transfer.Found // reads the servers of other clients for the sheet; nil: it shows none
	Programs  *programs.Folder        // installs programs that are missing; nil: goated cannot

	bringing *bringing // nil unless a program is being installed
}

// Sandbox returns how far this system will confine the next server.
func Sandbox(ps *Pages) sandbox.Status {
	probe := ps.Probe
	if probe == nil {
		probe = sandbox.Probe
	}
	return view.Expected(probe(), ps.Snapshot.Servers)
}

// Update shows a new state of the servers and asks for the permissions that they
// lack.
func (ps *Pages) Update(s client.Snapshot) {
	tellReloads(ps, s)
	ps.Snapshot = s
	maps.DeleteFunc(ps.left, func(id string, _ *serverPage) bool {
		return !slices.ContainsFunc(s.Servers, func(o client.Server) bool { return o.ID == id })
	})
	keepStarted(ps, s)
	if ps.Connector != nil {
		ps.Connector.show(s)
	}
	if ps.Page != nil {
		ps.Page.see(s)
	}
	ps.askPermissions(s)
}

// Starting reports whether a saved server is about to start, or does. The host may not list it yet.
func (s *starts) Starting(l config.Launch) bool { return slices.ContainsFunc(s.saved, l.Same) }

// setStarting says that a saved server starts, or that it has started or failed.
func setStarting(ps *Pages, l config.Launch, on bool) {
	if ps.saved = slices.DeleteFunc(ps.saved, l.Same); on {
		ps.saved = append(ps.saved, l)
	}
	if ps.On.Starting != nil {
		ps.On.Starting()
	}
}

// Run starts a saved server in the background, unless it runs or starts. The list shows how it
// goes.
func Run(ps *Pages, l config.Launch) {
	if ps.Host == nil || ps.Starting(l) {
		return
	}
	setStarting(ps, l, true)
	ps.Go(func() {
		env, missing := ps.Secrets.Fill(l.Env)
		headers, more := ps.Secrets.Fill(l.Headers)
		missing = append(missing, more...)
		saved := l
		l.Env, l.Headers = env, headers
		ps.Post(func() {
			running := ps.Host.Snapshot().Servers
			running = slices.DeleteFunc(slices.Clone(running), func(s client.Server) bool { return s.Status == client.Failed })
			if len(consent.Running(running, saved)) > 0 { // goated started it meanwhile
				setStarting(ps, saved, false)
				return
			}
			if len(missing) > 0 {
				setStarting(ps, saved, false)
				connectFlow{ps}.askValues(saved, l, missing)
				return
			}
			start := consent.Remembered(*ps.Settings, consent.ConfigOf(l))
			ps.Go(func() {
				_, _ = client.ConnectSaved(ps.Ctx, ps.Host, start) // its row shows a failure
				ps.Post(func() { setStarting(ps, saved, false) })
			})
		})
	})
}

// keepStarted saves the servers whose first start failed and that run now, also if goated restarted them by
// itself: the page of tools promises it. A linked file keeps its own.
func keepStarted(ps *Pages, s client.Snapshot) {
	var failed []string
	for _, srv := range s.Servers {
		was := slices.Contains(ps.failed, srv.ID)
		switch {
		case was && srv.Status == client.Connected:
			if l, _, ok := ps.launchOf(srv.ID); ok && !slices.ContainsFunc(ps.Settings.Launch, l.Same) && !ps.ofFile(srv.ID, l) {
				save(ps, l)
			}
		case was, srv.Status == client.Failed && view.NeverStarted(srv):
			failed = append(failed, srv.ID)
		}
	}
	ps.failed = failed
}

// ofFile reports whether a linked file has a server, also after the user has edited it.
func (ps *Pages) ofFile(id string, l config.Launch) bool {
	return slices.Contains(ps.ofFiles, id) || linked.Agreed(ps.Settings.Linked, l)
}

// save saves a server that has started, with what the user decided about it.
func save(ps *Pages, l config.Launch) {
	ps.keepLaunch(l, func(kept config.Launch) {
		used := ps.Settings.Used(kept)
		ps.Change(used.Start(used.Known(kept), true))
	})
}

// startSaved starts a server in the background. Its row shows a failure.
func startSaved(ps *Pages, c client.Config) {
	ps.Go(func() { _, _ = client.ConnectSaved(ps.Ctx, ps.Host, c) })
}

// tellReloads says which servers restarted since the last state because their scripts
// changed. The card of one that does not start any more says why. The sheet closes if that shows the
// failure of such a server: its button would add the server again.
func tellReloads(ps *Pages, s client.Snapshot) {
	for _, now := range s.Servers {
		for _, was := range ps.Snapshot.Servers {
			if was.ID != now.ID || now.Reloads <= was.Reloads || now.Status != client.Connected {
				continue
			}
			if c := ps.Connector; c != nil && c.tried.Subject() != "" && c.last.id == now.ID && ps.connecting == nil {
				finish(ps, now)
			} else {
				ps.Toasts.Say("check", fmt.Sprintf("%s restarted, because its script changed", now.Name))
			}
		}
	}
}
