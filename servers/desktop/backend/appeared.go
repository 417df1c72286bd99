package backend

import (
	"context"
	"errors"
	"fmt"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/x11"
)

// belongs reports whether a window belongs to an application.
func belongs(w x11.Window, e apps.Entry, id string) bool {
	return (w.Type == "normal" || w.Type == "dialog") && w.PID != 0 && e.Runs(w.PID, w.Class, id)
}

// waitFirstWindow waits for the first window of a started program. A program may hand over to a running
// instance and exit. Then the new window belongs to the other process.
func (a *applicationService) waitFirstWindow(ctx context.Context, s *screen, before []x11.Window, p *apps.Process, e apps.Entry) (x11.Window, error) {
	known := make(map[uint32]bool)
	for _, w := range before {
		known[w.ID] = true
	}
	var found, other x11.Window
	done := p.Done
	err := s.desktop.Await(ctx, func() (bool, error) {
		all, err := s.desktop.Windows()
		if err != nil {
			return false, err
		}
		for _, w := range all {
			if known[w.ID] || !w.Visible() || w.Type != "normal" && w.Type != "dialog" {
				continue
			}
			if p.Started(w.PID) || belongs(w, e, e.Name) {
				found = w
				return true, nil
			}
			other = w
		}
		select {
		case <-done:
			if other.ID != 0 {
				found = other
				return true, nil
			}
			for _, w := range all { // it raised an existing window
				if belongs(w, e, e.Name) && w.Focused {
					found = w
					return true, nil
				}
			}
			return false, errEnded
		default:
			return false, nil
		}
	})
	if errors.Is(err, errEnded) {
		return found, fmt.Errorf("%w: %s showed no window: %s", x11.ErrRefused, e.Name, p.End())
	}
	return found, err
}

var errEnded = errors.New("the program ended")
