package client

import (
	"fmt"
	"path/filepath"
	"time"

	"goated/internal/codedigest"
	"goated/internal/proc"
	"goated/registry"
)

// originOf returns the origin of the server that just started. If its code changed during the
// start, it is unclear which version runs, so no permission applies.
func originOf(s *server, code *codedigest.Start) registry.Origin {
	o := registry.Origin{Start: s.config.Start(), Connection: s.host.connections.Add(1)}
	if s.config.Bundled { // the same program at any path
		return registry.Origin{Start: "goated " + s.config.Name, Version: s.host.o.Version, Connection: o.Connection}
	}
	changed := false
	if o.Code, o.Files, o.Unseen, changed = code.Code(s.ctx); changed {
		o.Code = fmt.Sprintf("changed during start %d at %s", o.Connection, time.Now().Format(time.RFC3339Nano))
	}
	if r := s.session.InitializeResult(); r != nil && r.ServerInfo != nil {
		o.Version = r.ServerInfo.Version
	}
	o.Instructions = s.view.Instructions // this goroutine wrote them
	return o
}

// code records the code of the server's program before it starts. It returns nil if the code is not
// on this computer.
func (c Config) code(run proc.Command) *codedigest.Start {
	script, err := c.script(run.Program)
	if c.URL != "" || c.Bundled || err != nil {
		return nil
	}
	p := codedigest.Program{Script: script, Found: run.Program, Args: c.Args, Dir: c.Dir, Env: run.Env, Origin: c.Origin()}
	if run.Policy != nil {
		p.Store = run.Policy.Packages.Store
	}
	return codedigest.Begin(p)
}

// Start describes on one line how a server starts: the variables that load other code, the
// script or program, the arguments, and the folder.
func (c Config) Start() string {
	if c.URL != "" {
		return c.URL
	}
	program := c.Command
	if program == "" {
		program = c.Path
		if abs, err := filepath.Abs(program); err == nil {
			program = abs
		}
	}
	return codedigest.Line(c.Env, append([]string{program}, c.Args...), c.Dir)
}
