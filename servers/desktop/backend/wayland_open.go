package backend

import (
	"context"
	"fmt"
	"time"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/x11"
)

// launch starts an application in a Wayland session and returns its window. No program can raise
// another program's windows there. A single-instance application shows its own window when it is
// started again.
func (a *applicationService) launch(ctx context.Context, id string, entry apps.Entry, known bool) (x11.Window, error) {
	if entry.Terminal {
		return x11.Window{}, fmt.Errorf("%w: %s runs in a terminal only", x11.ErrRefused, entry.Name)
	}
	before, _, err := a.c.wl.windows(ctx)
	if err != nil {
		return x11.Window{}, err
	}
	old := make(map[uint32]bool)
	for _, w := range before {
		old[w.ID] = true
	}
	p, entry, err := a.start(ctx, id, entry, known)
	if err != nil {
		return x11.Window{}, err
	}
	defer p.Forget()
	tick := time.NewTicker(2 * glance)
	defer tick.Stop()
	done, late := p.Done, (<-chan time.Time)(nil)
	for {
		all, _, err := a.c.wl.windows(ctx)
		if err != nil {
			return x11.Window{}, err
		}
		for _, w := range all {
			handed := late != nil && belongs(w, entry, entry.Name) // it handed over to a process that was already running
			if w.Visible() && (handed || !old[w.ID] && (p.Started(w.PID) || belongs(w, entry, entry.Name))) {
				a.show(w.PID)
				return w, nil
			}
		}
		select {
		case <-done:
			done, late = nil, time.After(handover)
		case <-late:
			return x11.Window{}, fmt.Errorf("%w: %s showed no window over accessibility: %s", x11.ErrRefused, entry.Name, p.End())
		case <-tick.C:
		case <-ctx.Done():
			return x11.Window{}, context.Cause(ctx)
		}
	}
}

// handover is how long a running process may take to show the window for a new process that ended.
const handover = 3 * time.Second
