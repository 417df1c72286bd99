// Package servers draws the sheet that connects MCP servers, the page of each server, and the
// questions about permissions. It owns the permission requests of this run. The host owns the
// servers, and the shell owns the settings. The package must not depend on conversations.
package servers

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	Refused *quarantine.List // the tools that model services rejected; nil: none
	Computer

	Snapshot  client.Snapshot
	Requests  consent.Requests       // by LaunchLine
	Connector *connectSheet          // nil unless open
	Page      *serverPage            // nil unless open
	left      map[string]*serverPage // by ID: closed pages whose call was still running
	pendingStarts

	Question func(context.Context, shell.Question) (any, error) // blocks until the user answers

	Catalog Installer // nil: nothing can be installed
	On      Hooks
}

// pendingStarts are the servers that the user has asked goated to start.
type pendingStarts struct {
	connecting context.CancelFunc // cancels the sheet's connection; nil: it has none
	saved      []config.Launch    // the servers that [Run] starts
	failed     []string           // the IDs of servers that have never started
	ofFiles    []string           // the IDs of servers from linked files that the user has edited
}

// Hooks are the functions that the window provides to the pages.
type Hooks struct {
	// Prompt asks a server for a prompt and puts it into the next message, unless ctx ends first. done
	// receives the outcome. Without an error, Prompt then closes the sheets that hold no unsaved text.
	Prompt func(ctx context.Context, from client.Server, p *mcp.Prompt, args map[string]string, done func(error))

	// Permitted runs after a server has restarted with a permission that it lacked. It reports
	// whether it has informed the user. It may be nil.
	Permitted func(client.Server) bool

	Results  result.Host                         // shows and saves the result of a tool on its page
	ReadLink func(server string, link view.Part) // reads the resource of a link and shows it; may be nil

	Granted  func() // runs after the user kept or revoked a grant of a tool; may be nil
	Starting func() // runs when a server starts and after it has started; may be nil
	Closed   func() // runs after the page of a server has closed; may be nil

	Bundled []config.Bundled           // goated's own servers
	Switch  func(config.Bundled, bool) // starts or stops one of them
}

// A Computer describes this computer to the pages. The zero value adds nothing to what the
// system itself reports.
type Computer struct {
	Private   []string                // goated's own folders, with symbolic links resolved
	Guards    bool                    // the system can protect files inside the folders that servers write to; see [sandbox.Status]
	Probe     func() sandbox.Status   // reports what this system can enforce; nil: [sandbox.Probe]
	Elsewhere func() []transfer.Found // reads the servers of other clients for the sheet; nil: it shows none
	Programs  *programs.Folder        // installs missing programs; nil: goated cannot install any

	bringing map[string]*installation // the running installations, by the name of the product
}

// Sandbox returns how well this system will confine the next server.
func Sandbox(ps *Pages) sandbox.Status {
	probe := ps.Probe
	if probe == nil {
		probe = sandbox.Probe
	}
	return view.ExpectedStatus(probe(), ps.Snapshot.Servers)
}

// Update shows a new state of the servers and asks for the permissions that they lack.
func (ps *Pages) Update(s client.Snapshot) {
	tellReloads(ps, s)
	ps.Snapshot = s
	maps.DeleteFunc(ps.left, func(id string, _ *serverPage) bool {
		return !slices.ContainsFunc(s.Servers, func(o client.Server) bool { return o.ID == id })
	})
	saveStarted(ps, s)
	if ps.Connector != nil {
		ps.Connector.show(s)
	}
	if ps.Page != nil {
		ps.Page.update(s)
	}
	ps.askPermissions(s)
}

// Starting reports whether a saved server is starting or about to start. The host may not list
// it yet.
func (s *pendingStarts) Starting(l config.Launch) bool { return slices.ContainsFunc(s.saved, l.Same) }

// setStarting records that a saved server is starting, or that it has started or failed.
func setStarting(ps *Pages, l config.Launch, on bool) {
	if ps.saved = slices.DeleteFunc(ps.saved, l.Same); on {
		ps.saved = append(ps.saved, l)
	}
	if ps.On.Starting != nil {
		ps.On.Starting()
	}
}

// Run starts a saved server in the background, unless it is already running or starting. The
// list shows its progress.
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
			if len(consent.RunningIDs(running, saved)) > 0 { // goated has started it in the meantime
				setStarting(ps, saved, false)
				return
			}
			if len(missing) > 0 {
				setStarting(ps, saved, false)
				connectFlow{ps}.askValues(saved, l, missing)
				return
			}
			start := consent.WithSavedPermissions(*ps.Settings, consent.ConfigOf(l))
			ps.Go(func() {
				_, _ = client.ConnectSaved(ps.Ctx, ps.Host, start) // the server's row shows a failure
				ps.Post(func() { setStarting(ps, saved, false) })
			})
		})
	})
}

// saveStarted saves the running servers whose first start failed, even if goated restarted them
// by itself. The Tools page promises this. It does not save a server of a linked file.
func saveStarted(ps *Pages, s client.Snapshot) {
	var failed []string
	for _, srv := range s.Servers {
		was := slices.Contains(ps.failed, srv.ID)
		switch {
		case was && srv.Status == client.Connected:
			if l, _, ok := ps.launchOf(srv.ID); ok && !slices.ContainsFunc(ps.Settings.Launch, l.Same) && !ps.isLinked(srv.ID, l) {
				save(ps, l)
			}
		case was, srv.Status == client.Failed && view.NeverStarted(srv):
			failed = append(failed, srv.ID)
		}
	}
	ps.failed = failed
}

// isLinked reports whether a server comes from a linked file, even after the user has edited it.
func (ps *Pages) isLinked(id string, l config.Launch) bool {
	return slices.Contains(ps.ofFiles, id) || linked.Agreed(ps.Settings.Linked, l)
}

// save saves a server that has started, together with the user's decisions about it.
func save(ps *Pages, l config.Launch) {
	ps.storeSecrets(l, func(kept config.Launch) {
		used := ps.Settings.WithRecent(kept)
		ps.Change(used.WithStart(used.Saved(kept), true))
	})
}

// startSaved starts a server in the background. Its row shows a failure.
func startSaved(ps *Pages, c client.Config) {
	ps.Go(func() { _, _ = client.ConnectSaved(ps.Ctx, ps.Host, c) })
}

// tellReloads shows which servers restarted since the previous state because their scripts
// changed. If such a server no longer starts, its card shows the reason. If the sheet shows the
// failure of a restarted server, it closes, because its button would add the server again.
func tellReloads(ps *Pages, s client.Snapshot) {
	for _, now := range s.Servers {
		for _, was := range ps.Snapshot.Servers {
			if was.ID != now.ID || now.Reloads <= was.Reloads || now.Status != client.Connected {
				continue
			}
			if c := ps.Connector; c != nil && c.tried.Subject() != "" && c.last.id == now.ID && ps.connecting == nil {
				closeConnected(ps, now)
			} else {
				ps.Toasts.Say("check", fmt.Sprintf("%s restarted, because its script changed", now.Name))
			}
		}
	}
}
