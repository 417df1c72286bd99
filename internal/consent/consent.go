// Package consent holds the decisions about what a server may do: what its
// sandbox refused, which of that to ask the user about, and how an answer
// changes the settings and the running server. The window and the terminal only
// ask the question and show the result.
//
// It owns the record of requests in this run. The settings and the host belong
// to its callers, and it knows no sentence that a user reads.
package consent

import (
	"context"
	"slices"
	"time"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
)

// LaunchOf returns how the settings write down a server that runs with c.
func LaunchOf(c client.Config) config.Launch {
	return config.Launch{Path: config.Absolute(c.Path), Args: c.Args, Dir: c.Dir, Env: config.VariablesOf(c.Env)}
}

// Remembered returns c with the permissions that the settings keep for a server
// with the same path and arguments. A permission in c that is not in the settings
// is dropped; a server that c runs without a sandbox stays so.
func Remembered(s config.Settings, c client.Config) client.Config {
	return With(c, s.Known(config.Launch{Path: config.Absolute(c.Path), Args: c.Args}))
}

// With returns c with the permissions of l.
func With(c client.Config, l config.Launch) client.Config {
	c.Grant, c.NoSandbox, c.Unconfined = l.Allowed.Grant(), c.NoSandbox || l.NoSandbox, l.Unconfined
	return c
}

// Running returns the ids of the servers that run with the path and arguments of l.
func Running(servers []client.Server, l config.Launch) (ids []string) {
	for _, s := range servers {
		if !s.Bundled && s.Status != client.Disconnected && l.Same(config.Launch{Path: config.Absolute(s.Path), Args: s.Args}) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// A Change edits the decisions that a launch keeps.
type Change = func(*config.Launch)

// Allow keeps a permission, given at a time, and no longer refuses it.
func Allow(p sandbox.Permission, at time.Time) Change {
	p.At = at
	return func(l *config.Launch) { l.Allowed, l.Refused = l.Allowed.With(p), l.Refused.Without(p) }
}

// Revoke takes a permission back.
func Revoke(p sandbox.Permission) Change {
	return func(l *config.Launch) { l.Allowed = l.Allowed.Without(p) }
}

// Refuse keeps that the user does not want to be asked for p again.
func Refuse(p sandbox.Permission, at time.Time) Change {
	p.At = at
	return func(l *config.Launch) { l.Refused = l.Refused.With(p) }
}

// AskAgain undoes Refuse.
func AskAgain(p sandbox.Permission) Change {
	return func(l *config.Launch) { l.Refused = l.Refused.Without(p) }
}

// Confine keeps whether a server runs in its sandbox. A sandboxed server loses
// the permission to run on a system that has no sandbox.
func Confine(on bool) Change {
	return func(l *config.Launch) {
		l.NoSandbox = !on
		if on {
			l.Unconfined = false
		}
	}
}

// Unconfine keeps whether a server may run on a system that has no sandbox.
func Unconfine(on bool) Change {
	return func(l *config.Launch) { l.Unconfined = on }
}

// A Host runs the servers; [client.Host] is one.
type Host interface {
	Config(id string) (client.Config, bool)
	Allow(ctx context.Context, id string, g sandbox.Grant) error
}

// Give restarts a server with one more permission. Its errors are those of the
// host.
func Give(ctx context.Context, h Host, id string, p sandbox.Permission) error {
	return regrant(ctx, h, id, func(ps sandbox.Permissions) sandbox.Permissions { return ps.With(p) })
}

// Take restarts a server with one permission less. Its errors are those of the
// host.
func Take(ctx context.Context, h Host, id string, p sandbox.Permission) error {
	return regrant(ctx, h, id, func(ps sandbox.Permissions) sandbox.Permissions { return ps.Without(p) })
}

func regrant(ctx context.Context, h Host, id string, change func(sandbox.Permissions) sandbox.Permissions) error {
	c, _ := h.Config(id) // Allow reports a server that is gone
	return h.Allow(ctx, id, change(c.Grant.Permissions()).Grant())
}

// Lacked returns the first permission of a kind that s needs and the user may
// give; of any kind, if kind is empty.
func Lacked(s client.Server, kind sandbox.Kind) (p sandbox.Permission, ok bool) {
	i := slices.IndexFunc(s.Needs, func(p sandbox.Permission) bool { return kind == "" || p.Kind == kind })
	if i < 0 || !askable(s) {
		return p, false
	}
	return s.Needs[i], true
}

// askable reports whether the user decides what s may do: goated's own servers
// have what they need, and a server without a sandbox lacks nothing.
func askable(s client.Server) bool { return !s.Bundled && !s.NoSandbox }
