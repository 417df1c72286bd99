package client

import (
	"context"
	"fmt"

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
	s := h.list.find(id)
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
		old := h.list.find(id)
		if old == nil {
			return fmt.Errorf("%s: no server %q", doing, id)
		}
		c := old.config
		change(&c)
		launch, err := c.launch()
		if err != nil {
			h.o.logError(ctx, "restarting", err, "server", id)
			return err
		}
		next := newServer(h, c)
		if h.list.replace(old, next) {
			old.end()
			<-old.done // bounded by the graces of its process
			return next.start(ctx, launch)
		}
		h.list.mu.Lock()
		closed := h.list.closed
		h.list.mu.Unlock()
		if closed {
			return fmt.Errorf("%s %s: %w", doing, id, context.Canceled)
		}
	}
}
