package client

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Restart ends a server and starts it anew, under the same id and in the same
// place of the list. It also brings back one that failed. Its errors are those
// of [Host.Connect].
func (h *Host) Restart(ctx context.Context, id string) error {
	old := h.find(id)
	if old == nil {
		return fmt.Errorf("restarting: no server %q", id)
	}
	launch, err := h.launch(old.config)
	if err != nil {
		h.log(ctx, "restarting", err, "server", id)
		return err
	}
	next := h.replace(old)
	if next == nil {
		return fmt.Errorf("restarting %s: %w", id, context.Canceled)
	}
	old.end()
	<-old.done // bounded by the graces of its process
	return next.start(ctx, launch)
}

// replace puts a new server into old's place, which has its id and no tools
// yet. It is nil if old has left the list, or the host is closed.
func (h *Host) replace(old *server) *server {
	next := newServer(h, old.config)
	placed := false
	h.update(func() {
		i := slices.Index(h.servers, old)
		if i < 0 || h.closed {
			return
		}
		next.view = old.view
		next.view.Status, next.view.Since, next.view.Err = Connecting, time.Now(), nil
		next.view.RetryAt = time.Time{}
		// Nothing may be called of a server that has no session yet.
		h.reg.Remove(old.view.ID)
		h.servers = slices.Clone(h.servers)
		h.servers[i] = next
		old.next = next
		h.wg.Add(1)
		placed = true
	})
	if !placed {
		next.end()
		return nil
	}
	return next
}

// find is the server of that id, or nil.
func (h *Host) find(id string) *server {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.servers {
		if s.view.ID == id {
			return s
		}
	}
	return nil
}
