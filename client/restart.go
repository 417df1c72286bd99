package client

import (
	"context"
	"fmt"

	"goated/internal/sandbox"
)

// Restart ends a server and starts it again, under the same id and in the same place
// of the list. It also starts a failed server. It returns the errors of [Host.Connect]. A
// server whose start is cancelled stays in the list.
func (h *Host) Restart(ctx context.Context, id string) error {
	return restart(ctx, h, id, "restarting", func(*Config) {})
}

// Config returns the configuration of a server. Its slices must not be changed.
func (h *Host) Config(id string) (Config, bool) {
	s := h.list.find(id)
	if s == nil {
		return Config{}, false
	}
	return currentConfig(s), true
}

// Change restarts a server with the arguments, the environment and the working
// directory of c. If c is invalid, the server keeps running.
func (h *Host) Change(ctx context.Context, id string, c Config) error {
	return restart(ctx, h, id, "restarting", func(now *Config) {
		now.Args, now.Env, now.Dir = c.Args, c.Env, c.Dir
	})
}

// Allow replaces a server's grant by g and restarts it. An empty g removes all permissions. It
// returns the errors of [Host.Connect].
func (h *Host) Allow(ctx context.Context, id string, g sandbox.Grant) error {
	return restart(ctx, h, id, "allowing", func(now *Config) { now.Grant = g })
}

// Confine restarts a server inside its sandbox, or outside. It returns the errors of
// [Host.Connect].
func (h *Host) Confine(ctx context.Context, id string, on bool) error {
	return restart(ctx, h, id, "confining", func(now *Config) { now.NoSandbox = !on })
}

// restart replaces a server by one with a changed configuration. If another restart has already
// replaced the server, it changes the replacement.
func restart(ctx context.Context, h *Host, id, doing string, change func(*Config)) error {
	for {
		old := h.list.find(id)
		if old == nil {
			return fmt.Errorf("%s: no server %q", doing, id)
		}
		c := currentConfig(old)
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
			KeepFolder(h, old.config, c)
			return repaired(ctx, next, next.start(ctx, launch))
		}
		h.list.mu.Lock()
		closed := h.list.closed
		h.list.mu.Unlock()
		if closed {
			return fmt.Errorf("%s %s: %w", doing, id, context.Canceled)
		}
	}
}
