package ui

import (
	"context"
	"sync"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/dialogs"
	"goated/ui/servers"
)

// Dialogs are the questions that goroutines put to the user, one at a time and
// in the order in which they were asked. Its methods block until there is an
// answer or ctx ends, and are safe for concurrent use. It works before there is
// a window, which then shows the waiting questions; a closed window cancels every
// question at once.
type Dialogs struct {
	*dialogs.Queue

	keeping  sync.Mutex
	remember func(config.Launch) // that it may run unconfined; nil while there is no window
}

// NewDialogs returns an empty queue.
func NewDialogs() *Dialogs { return &Dialogs{Queue: &dialogs.Queue{}} }

// Unconfined asks whether a server may run although this system can't sandbox
// it. It fits client.Options; the window remembers a yes.
func (d *Dialogs) Unconfined(ctx context.Context, name string, c client.Config) bool {
	l := consent.LaunchOf(c)
	if !servers.AskPermission(ctx, d.Put, servers.PermissionRequest{Name: name, Command: servers.LaunchLine(l), Unconfined: true}, "").Allow {
		return false
	}
	d.keeping.Lock()
	remember := d.remember
	d.keeping.Unlock()
	if remember != nil {
		remember(l)
	}
	return true
}

// keep calls remember for each server that may run unconfined; nil: no more.
func (d *Dialogs) keep(remember func(config.Launch)) {
	d.keeping.Lock()
	defer d.keeping.Unlock()
	d.remember = remember
}
