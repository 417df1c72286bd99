package servers

import (
	"context"
	"fmt"
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/view"
)

// An attempt is the last server that the form failed to start, or the saved server that the
// user is editing. It is a row of the list and is saved, so a corrected launch has to replace
// it.
type attempt struct {
	launch config.Launch
	id     string // the ID of its server; empty: no server was started
	chosen bool   // the user chose to change it, so whatever the form starts replaces it
	why    error  // why the edited server failed; nil: it did not fail
	linked bool   // a linked file determines how it starts, so the settings do not save it
	held   bool   // the settings contained it before the form, so a failure does not change them
}

// isCorrection reports whether l corrects the launch of a rather than starting a different server.
// Two different scripts are different servers, because a path with a typing error starts
// nothing.
func isCorrection(l config.Launch, a attempt) bool {
	old := a.launch
	switch {
	case old.Subject() == "":
		return false
	case a.chosen || old.Same(l):
		return true
	case old.Path != "" && l.Path != "":
		return old.Path == l.Path
	}
	return old.Resembles(l)
}

// isRunning returns the server of an attempt if it is running now. For example, goated restarts
// it when its script changes.
func (f connectFlow) isRunning(a attempt) (client.Server, bool) {
	for _, s := range f.Host.Snapshot().Servers {
		if a.id != "" && s.ID == a.id && s.Status == client.Connected && a.launch.Same(consent.LaunchOfServer(s)) {
			return s, true
		}
	}
	return client.Server{}, false
}

// outcome returns the server that a start of l left in the list. It is the server with the
// given ID, or the failed server of l if id is empty.
func (f connectFlow) outcome(id string, l config.Launch) (client.Server, bool) {
	for _, s := range f.Host.Snapshot().Servers {
		if s.ID == id || id == "" && s.Status == client.Failed && l.Same(consent.LaunchOfServer(s)) {
			return s, true
		}
	}
	return client.Server{}, false
}

// hasSaved reports whether the settings already contain l, although neither the form put it there
// nor the user is editing it.
func (f connectFlow) hasSaved(l config.Launch, a attempt) bool {
	ours := a.launch.Same(l) && !a.held
	return !a.chosen && !ours && slices.ContainsFunc(f.Settings.Launch, l.Same)
}

// saveStarted saves a server that the form started, even if the start failed, because its row
// is on. It replaces the server that it corrects, which stays among the recent ones.
func (f connectFlow) saveStarted(l config.Launch, a attempt) {
	f.storeSecrets(l, func(kept config.Launch) {
		s, on := *f.Settings, true
		i := slices.IndexFunc(s.Launch, a.launch.Same)
		if i >= 0 && a.chosen && a.id != "" {
			on = !s.Launch[i].Off // editing a running server does not make it start with goated
		}
		if i >= 0 && isCorrection(l, a) && !a.launch.Same(l) {
			old := s.Launch[i]
			if s = s.WithRecent(old); a.chosen && old.SameProgram(kept) {
				s = s.WithReplaced(old, kept)
			} else {
				s = config.WithRenamed(s, old, kept).WithoutStart(old)
			}
		}
		if s = s.WithRecent(kept); !a.linked {
			s = s.WithStart(kept, on)
		}
		f.Change(s.ChangeServer(kept, consent.AllowAll(kept.Allowed, f.Now())))
		if c := f.Connector; c != nil {
			c.recent = f.Settings.Recent
			c.show(f.Snapshot)
		}
	})
}

// removeFailed removes failed servers with the same path and arguments from the list. The user
// sees them as the same server, although the host may not. It also disconnects the server with
// the given ID if it is the same one, because the form has changed its environment.
func (f connectFlow) removeFailed(ctx context.Context, l config.Launch, id string) {
	for _, s := range f.Host.Snapshot().Servers {
		if (s.Status == client.Failed || s.ID == id) && l.Same(consent.LaunchOfServer(s)) {
			_ = f.Host.Disconnect(ctx, s.ID) // the host removes it when its process has ended
		}
	}
}

// dismiss removes a server from the list. It also removes a server that has never started from
// the saved ones, because such a server usually has a typing error. The server stays among the
// recent ones.
func (f connectFlow) dismiss(s client.Server) {
	l := consent.LaunchOfServer(s)
	i := slices.IndexFunc(f.Settings.Launch, l.Same)
	if s.Status == client.Failed && len(s.Last) == 0 && i >= 0 && len(consent.RunningIDs(f.Snapshot.Servers, l)) < 2 {
		old := f.Settings.Launch[i]
		f.Change(f.Settings.WithRecent(old).WithoutStart(old))
		if c := f.Connector; c != nil {
			c.recent = f.Settings.Recent
		}
	}
	f.Disconnect(s)
}

// closeConnected closes the sheet, because its server is running.
func closeConnected(ps *Pages, s client.Server) {
	ps.closeConnect()
	ps.Toasts.Say("check", fmt.Sprintf("Connected to %s", view.ServerLabel(s)))
}
