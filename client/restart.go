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
	c, ok := h.Config(id)
	if !ok {
		return fmt.Errorf("restarting: no server %q", id)
	}
	return h.Change(ctx, id, c)
}

// Config is what a server was started with. Its slices are not to be changed.
func (h *Host) Config(id string) (Config, bool) {
	s := h.find(id)
	if s == nil {
		return Config{}, false
	}
	return s.config, true
}

// Change restarts a server as [Host.Restart] does, with the arguments, the
// environment and the working directory of c; the rest stays what it is. What
// can be seen to be wrong with c before anything is stopped leaves the server as
// it runs.
func (h *Host) Change(ctx context.Context, id string, c Config) error {
	old := h.find(id)
	if old == nil {
		return fmt.Errorf("restarting: no server %q", id)
	}
	config := old.config
	config.Args, config.Env, config.Dir = c.Args, c.Env, c.Dir
	launch, err := h.launch(config)
	if err != nil {
		h.log(ctx, "restarting", err, "server", id)
		return err
	}
	next := h.replace(old, config)
	if next == nil {
		return fmt.Errorf("restarting %s: %w", id, context.Canceled)
	}
	old.end()
	<-old.done // bounded by the graces of its process
	return next.start(ctx, launch)
}

// replace puts a new server into old's place, which has its id and no tools
// yet. It is nil if old has left the list, or the host is closed.
func (h *Host) replace(old *server, config Config) *server {
	next := newServer(h, config)
	placed := false
	h.update(func() {
		i := slices.Index(h.servers, old)
		if i < 0 || h.closed {
			return
		}
		next.view = old.view
		next.view.Args = config.Args
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
