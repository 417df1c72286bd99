// Package consent manages the permissions of servers. It decides about which refusals of the
// sandbox to ask the user, and how an answer changes the settings and the running server. The
// window and the terminal only ask the question and show the result.
//
// It owns the record of requests in this run. Its callers own the settings and the host. It
// contains no sentences for users.
package consent

import (
	"context"
	"slices"
	"time"

	"goated/client"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/paths"
	"goated/internal/sandbox"
)

// LaunchOf returns the settings entry for a server that runs with c.
func LaunchOf(c client.Config) config.Launch {
	l := config.Launch{Name: c.Name, Path: c.Path, Command: c.Command, URL: c.URL, Args: c.Args, Dir: c.Dir, Env: config.VariablesOf(c.Env), Headers: config.VariablesOf(c.Headers)}
	if l.Path != "" {
		l.Path = paths.Absolute(l.Path)
	}
	return l
}

// ConfigOf returns the configuration with which the host runs a saved server. It includes the
// server's permissions but not the values of its secrets.
func ConfigOf(l config.Launch) client.Config {
	return WithPermissions(client.Config{Name: l.Name, Path: l.Path, Command: l.Command, URL: l.URL, Args: l.Args, Dir: l.Dir, Env: config.Environ(l.Env), Headers: config.Environ(l.Headers)}, l)
}

// WithSavedPermissions returns c with the permissions that the settings contain for the same server. It drops
// permissions of c that are not in the settings. If c runs without a sandbox, the result does, too.
func WithSavedPermissions(s config.Settings, c client.Config) client.Config {
	return WithPermissions(c, s.Saved(LaunchOf(c)))
}

// WithPermissions returns c with the permissions of l.
func WithPermissions(c client.Config, l config.Launch) client.Config {
	c.Grant, c.NoSandbox, c.Unconfined, c.Off = l.Allowed.Grant(), c.NoSandbox || l.NoSandbox, l.Unconfined, l.ToolsOff
	return c
}

// LaunchOfServer returns the settings entry for a running server, without its environment. The entry for one of
// goated's own servers contains only its name.
func LaunchOfServer(s client.Server) config.Launch {
	if s.Bundled {
		return config.Launch{Name: s.Name}
	}
	c := client.Config{Command: s.Command, URL: s.URL, Args: s.Args, Dir: s.Dir}
	if c.Command == "" && c.URL == "" {
		c.Path = s.Path
	}
	if s.Saved {
		c.Name = s.Name
	}
	return LaunchOf(c)
}

// RunningIDs returns the IDs of the running servers that l describes.
func RunningIDs(servers []client.Server, l config.Launch) (ids []string) {
	for _, s := range servers {
		if !s.Bundled && s.Status != client.Disconnected && l.Same(LaunchOfServer(s)) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// A Change edits the user's decisions in a launch configuration.
type Change = func(*config.Launch)

// Allow stores a permission, given at a time, and removes its refusal.
func Allow(p sandbox.Permission, at time.Time) Change {
	p.At = at
	return func(l *config.Launch) { l.Allowed, l.Refused = l.Allowed.With(p), l.Refused.Without(p) }
}

// AllowAll stores the permissions that the user agreed to before the server's first start.
func AllowAll(all sandbox.Permissions, at time.Time) Change {
	return func(l *config.Launch) {
		for _, p := range all {
			Allow(p, at)(l)
		}
	}
}

// HostsIn returns the permissions to reach the hosts in the arguments and environment variables of
// a program, such as the host of its database. By adding the program, the user agrees to them.
func HostsIn(command string, args, env []string) (out sandbox.Permissions) {
	for _, text := range launch.Hosts(command, args, env) {
		if host, err := sandbox.ParseHost(text); err == nil {
			out = append(out, sandbox.Permission{Kind: sandbox.ToHost, Host: host.String()})
		}
	}
	return out
}

// Revoke removes a permission.
func Revoke(p sandbox.Permission) Change {
	return func(l *config.Launch) { l.Allowed = l.Allowed.Without(p) }
}

// Refuse stores that the user does not want to be asked about p again.
func Refuse(p sandbox.Permission, at time.Time) Change {
	p.At = at
	return func(l *config.Launch) { l.Refused = l.Refused.With(p) }
}

// AskAgain undoes Refuse.
func AskAgain(p sandbox.Permission) Change {
	return func(l *config.Launch) { l.Refused = l.Refused.Without(p) }
}

// Confine stores whether a server runs in its sandbox. A sandboxed server loses the permission to
// run on a system that has no sandbox.
func Confine(on bool) Change {
	return func(l *config.Launch) {
		l.NoSandbox = !on
		if on {
			l.Unconfined = false
		}
	}
}

// Unconfine stores whether a server may run on a system that has no sandbox.
func Unconfine(on bool) Change {
	return func(l *config.Launch) { l.Unconfined = on }
}

// A Host runs the servers. [client.Host] implements it.
type Host interface {
	Config(id string) (client.Config, bool)
	Allow(ctx context.Context, id string, g sandbox.Grant) error
}

// AddPermission restarts a server with one more permission. It returns the errors of the host.
func AddPermission(ctx context.Context, h Host, id string, p sandbox.Permission) error {
	return regrant(ctx, h, id, func(ps sandbox.Permissions) sandbox.Permissions { return ps.With(p) })
}

// RemovePermission restarts a server with one permission less. It returns the errors of the host.
func RemovePermission(ctx context.Context, h Host, id string, p sandbox.Permission) error {
	return regrant(ctx, h, id, func(ps sandbox.Permissions) sandbox.Permissions { return ps.Without(p) })
}

func regrant(ctx context.Context, h Host, id string, change func(sandbox.Permissions) sandbox.Permissions) error {
	c, _ := h.Config(id) // if the server is gone, Allow returns an error
	return h.Allow(ctx, id, change(c.Grant.Permissions()).Grant())
}

// FirstMissing returns the first permission of a kind that s needs and that the user can give. An empty
// kind means any kind.
func FirstMissing(s client.Server, kind sandbox.Kind) (p sandbox.Permission, ok bool) {
	i := slices.IndexFunc(s.Needs, func(p sandbox.Permission) bool { return kind == "" || p.Kind == kind })
	if i < 0 || !userDecides(s) || needsMoreThanPermissions(s) {
		return p, false
	}
	return s.Needs[i], true
}

// userDecides reports whether the user decides what s may do. goated's own servers have all permissions
// that they need, and a server without a sandbox lacks none.
func userDecides(s client.Server) bool { return !s.Bundled && !s.NoSandbox }
