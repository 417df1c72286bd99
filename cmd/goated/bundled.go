package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/servers"
)

// bundledFlags select the bundled servers that start, in addition to the settings.
type bundledFlags struct {
	none bool
	with []string // names
}

// own converts a bundled server to the form that the settings use.
func own(s servers.Server) config.Bundled {
	b := config.Bundled{Name: s.Name, Title: s.Title, Summary: s.Summary, Default: s.Default}
	for _, w := range s.Switches {
		b.Switches = append(b.Switches, config.Switch{Name: w.Name, Summary: w.Summary})
	}
	return b
}

// ownServers returns all bundled servers in the form that the settings use.
func ownServers() []config.Bundled {
	var list []config.Bundled
	for _, s := range servers.All() {
		list = append(list, own(s))
	}
	return list
}

// ownCalled finds a bundled server by its name, ignoring case, and returns the exact name.
func ownCalled(name string) (string, bool) {
	i := slices.IndexFunc(servers.All(), func(s servers.Server) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return "", false
	}
	return servers.All()[i].Name, true
}

// bundledConfig returns the host's configuration of a bundled server with the given switches on.
func (a *app) bundledConfig(s servers.Server, on []string) client.Config {
	c := client.Config{
		Path: a.self, Args: []string{"serve", s.Name, "--data", a.dataDir()}, Name: s.Name, Bundled: true, BundledOptions: client.BundledOptions{Alone: true},
		Grant: bundledGrant(s, a.dataDir()), Off: a.settings.ToolsOff(config.Launch{Name: s.Name}),
	}
	for _, name := range on {
		c.Args = append(c.Args, "--"+name)
	}
	for _, name := range s.Environ {
		if value, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	if s.Answers != nil {
		c.Answers = s.Answers(on, a.live)
	}
	if s.Given != nil {
		c.Env = append(c.Env, s.Given()...)
	}
	return c
}

// bundledSwitches makes sure that the last press of a switch or of Start decides the state of a
// bundled server.
type bundledSwitches struct {
	mu      sync.Mutex
	servers map[string]*bundledSwitch // by name
}

// A bundledSwitch orders the presses for one server. Each server has its own, because the start of
// another one may take long.
type bundledSwitch struct {
	turn sync.Mutex         // held while the server is disconnected and connected again
	end  context.CancelFunc // cancels the work of the last press; nil before the first one
}

// press returns the switch of a server, and the context of a new press. The next press for the same
// server cancels that context.
func (s *bundledSwitches) press(ctx context.Context, name string) (*bundledSwitch, context.Context) {
	ctx, end := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.servers == nil {
		s.servers = make(map[string]*bundledSwitch)
	}
	one := s.servers[name]
	if one == nil {
		one = new(bundledSwitch)
		s.servers[name] = one
	}
	if one.end != nil {
		one.end()
	}
	one.end = end
	return one, ctx
}

// switchBundled disconnects a bundled server. If on is set, it connects the server again with the
// switches of b. It works in the background. The server's card shows a failure.
func (a *app) switchBundled(ctx context.Context, b config.Bundled, on bool) {
	for _, s := range servers.All() {
		if s.Name != b.Name {
			continue
		}
		one, press := a.later.switches.press(ctx, b.Name)
		a.later.Go(func() {
			one.turn.Lock()
			defer one.turn.Unlock()
			if press.Err() != nil {
				return // a later press decides
			}
			for _, connected := range a.host.Snapshot().Servers {
				if connected.Bundled && connected.Name == b.Name {
					_ = a.host.Disconnect(ctx, connected.ID)
				}
			}
			if on {
				_, _ = a.host.Connect(press, a.bundledConfig(s, b.On))
			}
		})
	}
}

// bundledGrant returns the permissions of a bundled server, whose project is the working directory.
func bundledGrant(s servers.Server, data string) sandbox.Grant {
	var o servers.Options
	if data, err := filepath.Abs(data); err == nil {
		o.Data = data
	}
	if root, err := os.Getwd(); err == nil {
		o.Root = root
	}
	sockets, hosts := s.Reached()
	return sandbox.Grant{Read: s.Reads(o), Write: s.Writes(o), Present: s.Present(o), Sockets: sockets, Buses: s.Filtered(), Hosts: hosts}
}

// chains reports whether the results of a tool may ask the model to run a prompt. Only bundled
// servers that are designed for it may do that.
func chains(e registry.Entry) bool {
	return e.Bundled && slices.ContainsFunc(servers.All(), func(s servers.Server) bool { return s.Prompts && e.Server == s.Name })
}
