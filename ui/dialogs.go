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

// Dialogs are the questions of goroutines to the user, shown one at a time in
// the order of arrival. The methods that ask block until the user answers or
// ctx ends. All methods are safe for concurrent use. Questions may arrive
// before the window exists; it shows them when it opens. After the window has
// closed, every question is cancelled at once.
type Dialogs struct {
	*dialogs.Queue

	mu       sync.Mutex
	remember func(config.Launch) // saves that a server may run unconfined; nil: no window
}

// NewDialogs returns an empty queue.
func NewDialogs() *Dialogs { return &Dialogs{Queue: &dialogs.Queue{}} }

// Unconfined asks whether a server may run although this system can't sandbox
// it. The window saves a yes. It fits client.Options.
func (d *Dialogs) Unconfined(ctx context.Context, name string, c client.Config) bool {
	l := consent.LaunchOf(c)
	if !servers.AskPermission(ctx, d.Put, servers.PermissionRequest{Name: name, Command: servers.LaunchLine(l), Unconfined: true}, "").Allow {
		return false
	}
	d.mu.Lock()
	remember := d.remember
	d.mu.Unlock()
	if remember != nil {
		remember(l)
	}
	return true
}

// onUnconfined sets the function that saves that a server may run unconfined.
func (d *Dialogs) onUnconfined(remember func(config.Launch)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remember = remember
}
