package consent

import (
	"errors"
	"sync"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
)

// Requests record which permissions servers lacked in this run, so that the user
// is asked about each once. The zero value is ready. The methods are safe for
// concurrent use.
type Requests struct {
	// MaxAsked bounds the permissions that are asked about for one server, since a
	// server itself decides what it seems to lack; 0: no bound.
	MaxAsked int

	mu      sync.Mutex
	servers map[string]*request
}

// A request is the record of one server.
type request struct{ lacked, asked, open sandbox.Permissions }

// New returns the permissions that s lacks and did not lack before in this run.
// server is the name under which the caller knows s. Call [Ask] for each before
// you ask the user.
func (r *Requests) New(server string, s client.Server) (lacked []sandbox.Permission) {
	if !askable(s) || beyondPermissions(s) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.of(server)
	for _, p := range s.Needs {
		if !had.lacked.Has(p) && (r.MaxAsked == 0 || len(had.lacked) < r.MaxAsked) {
			had.lacked = had.lacked.With(p)
			lacked = append(lacked, p)
		}
	}
	return lacked
}

// beyondPermissions reports whether s does not run for a reason that no permission changes.
func beyondPermissions(s client.Server) bool {
	var e *client.Error
	return errors.As(s.Err, &e) && e.Report != nil && e.Report.Cause.BeyondPermissions()
}

// Ask reports whether to ask the user about p: once in a run, and not if kept,
// which is the server in the settings, refuses it. p is placed, see
// [sandbox.Permission.Placed]. Call Answered after the answer.
func (r *Requests) Ask(server string, kept config.Launch, p sandbox.Permission) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.of(server)
	if kept.Refused.Has(p) || had.asked.Has(p) {
		return false
	}
	had.asked, had.open = had.asked.With(p), had.open.With(p)
	return true
}

// Forget drops the record of a server, so that its needs count as new.
func (r *Requests) Forget(server string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.servers, server)
}

func (r *Requests) of(server string) *request {
	if r.servers == nil {
		r.servers = make(map[string]*request)
	}
	if r.servers[server] == nil {
		r.servers[server] = &request{}
	}
	return r.servers[server]
}
