package backend

import (
	"context"
	"strconv"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/apps"
	"goated/servers/desktop/journal"
)

// A Record says where actions are recorded, and who sees that.
type Record struct {
	// Folder holds the record of all actions, [JournalFile], and the user's consent to keys in
	// a Wayland session. Empty: neither is kept.
	Folder string

	// Begins sees the record of each action before it happens, and refuses it by an error. Ends
	// sees it afterwards. nil: no one does.
	Begins func(journal.Entry) error
	Ends   func(journal.Entry)
}

// perform does an action unless Begins refuses it.
func (r Record) perform(ctx context.Context, a *journal.Action, do func(context.Context) (string, error)) (string, error) {
	if r.Begins != nil && a != nil {
		if err := r.Begins(a.Entry()); err != nil {
			return "", err
		}
	}
	return do(ctx)
}

func (r Record) ended(a *journal.Action) {
	if r.Ends != nil {
		r.Ends(a.Entry())
	}
}

var named = lazyregexp.New(`"(applications/(\d+)(?:/windows/\d+)?)[/"]`)

// subject says for the journal what an action is about.
func (c *core) subject(a action, request []byte) journal.Subject {
	s := journal.Subject{Target: a.target, Before: a.before, Secret: a.secret}
	if m := named.FindSubmatch(request); m != nil {
		pid, _ := strconv.Atoi(string(m[2]))
		s.App = apps.Name(pid)
		if c.x != nil {
			if w, err := c.x.window(string(m[1])); err == nil {
				s.Window = w.Title
			}
		}
	}
	return s
}
