package consent

import (
	"errors"
	"sync"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
)

// Requests records which permissions servers have lacked in this run, so that goated asks the user
// about each only once. The zero value is ready to use. The methods are safe for concurrent use.
type Requests struct {
	// MaxAsked limits the questions about permissions for one server, because a server can make it
	// seem that it lacks any number of them. 0 means no limit.
	MaxAsked int

	mu      sync.Mutex
	servers map[string]*request
}

// A request is the record for one server.
type request struct{ lacked, asked, open sandbox.Permissions }

// NewlyMissing returns the permissions that s lacks for the first time in this run. server is the name that
// the caller uses for s. Call [Requests.Ask] for each permission before you ask the user.
func (r *Requests) NewlyMissing(server string, s client.Server) (lacked []sandbox.Permission) {
	if !userDecides(s) || needsMoreThanPermissions(s) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.serverRequest(server)
	for _, p := range s.Needs {
		if !had.lacked.Has(p) && (r.MaxAsked == 0 || len(had.lacked) < r.MaxAsked) {
			had.lacked = had.lacked.With(p)
			lacked = append(lacked, p)
		}
	}
	return lacked
}

// needsMoreThanPermissions reports whether s does not run for a reason that no permission can fix.
func needsMoreThanPermissions(s client.Server) bool {
	var e *client.Error
	return errors.As(s.Err, &e) && e.Report != nil && e.Report.Cause.BeyondPermissions()
}

// Ask reports whether to ask the user about p. It returns true only once in a run, and false if
// kept, the server's settings entry, refuses p. p must be placed; see [sandbox.Permission.Placed].
// Call Answered after the answer.
func (r *Requests) Ask(server string, kept config.Launch, p sandbox.Permission) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.serverRequest(server)
	if kept.Refused.Has(p) || had.asked.Has(p) {
		return false
	}
	had.asked, had.open = had.asked.With(p), had.open.With(p)
	return true
}

// Forget deletes the record of a server, so that [Requests.NewlyMissing] returns its permissions again.
func (r *Requests) Forget(server string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.servers, server)
}

func (r *Requests) serverRequest(server string) *request {
	if r.servers == nil {
		r.servers = make(map[string]*request)
	}
	if r.servers[server] == nil {
		r.servers[server] = &request{}
	}
	return r.servers[server]
}
