package client

import (
	"context"
	"fmt"
	"slices"
	"time"

	"goated/internal/sandbox"
)

// Restart ends a server and starts it anew, under the same id and in the same
// place of the list. It also brings back one that failed. Its errors are those
// of [Host.Connect]; one whose start is given up stays in the list.
func (h *Host) Restart(ctx context.Context, id string) error {
	return h.restart(ctx, id, "restarting", func(*Config) {})
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
	return h.restart(ctx, id, "restarting", func(now *Config) {
		now.Args, now.Env, now.Dir = c.Args, c.Env, c.Dir
	})
}

// Allow gives a server what g says, in place of what it was granted before, and
// restarts it. An empty g takes everything back. Its errors are those of
// [Host.Connect].
func (h *Host) Allow(ctx context.Context, id string, g sandbox.Grant) error {
	return h.restart(ctx, id, "allowing", func(now *Config) { now.Grant = g })
}

// Confine runs a server in its sandbox, or without, and restarts it for that. Its
// errors are those of [Host.Connect].
func (h *Host) Confine(ctx context.Context, id string, on bool) error {
	return h.restart(ctx, id, "confining", func(now *Config) { now.NoSandbox = !on })
}

// restart puts a server into the place of the one of that id, with what change
// makes of its config. Whatever else takes that place meanwhile, be it brought back
// or changed by another, is changed in turn.
func (h *Host) restart(ctx context.Context, id, doing string, change func(*Config)) error {
	for {
		old := h.find(id)
		if old == nil {
			return fmt.Errorf("%s: no server %q", doing, id)
		}
		c := old.config
		change(&c)
		launch, err := h.launch(c)
		if err != nil {
			h.log(ctx, "restarting", err, "server", id)
			return err
		}
		next := h.replace(old, c)
		if next != nil {
			old.end()
			<-old.done // bounded by the graces of its process
			return next.start(ctx, launch)
		}
		h.mu.Lock()
		closed := h.closed
		h.mu.Unlock()
		if closed {
			return fmt.Errorf("%s %s: %w", doing, id, context.Canceled)
		}
	}
}

// replace puts a new server of config c into old's place, which has its id and no tools
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
		next.view.NoSandbox = config.NoSandbox
		next.view.Sandbox, next.view.Policy = sandbox.Status{}, sandbox.Policy{} // until it runs
		// Nothing may be called of a server that has no session yet.
		h.reg.Remove(old.view.ID)
		h.servers = slices.Clone(h.servers)
		h.servers[i] = next
		old.next, next.follows = next, true
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
