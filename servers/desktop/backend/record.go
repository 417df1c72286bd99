package backend

import (
	"context"
	"strconv"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/apps"
	"goated/servers/desktop/journal"
)

// A Record defines where actions are recorded and who sees the records.
type Record struct {
	// Folder holds the record of all actions, [JournalFile], and in a Wayland session the user's
	// consent to keys. If Folder is empty, neither is stored.
	Folder string

	// Begins receives each action before it happens, and may refuse it by returning an error. Ends
	// receives it afterwards. Both may be nil.
	Begins func(journal.Entry) error
	Ends   func(journal.Entry)
}

// perform performs an action unless Begins refuses it.
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

// subject describes for the journal what an action acts on.
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
