package client

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/internal/codedigest"
	"goated/internal/proc"
	"goated/registry"
)

// originOf is the origin of the server that just started with run. code is its code
// before the start: if it is another one now, nobody knows which one runs, and no
// permission holds.
func originOf(s *server, run proc.Command, code string) registry.Origin {
	o := registry.Origin{Start: s.config.start(), Connection: s.host.connections.Add(1)}
	if s.config.Bundled { // the same program at any path
		return registry.Origin{Start: "goated " + s.config.Name, Version: s.host.o.Version, Connection: o.Connection}
	}
	if o.Code = s.config.code(run); o.Code != code {
		o.Code = fmt.Sprintf("changed during start %d at %s", o.Connection, time.Now().Format(time.RFC3339Nano))
	}
	if r := s.session.InitializeResult(); r != nil && r.ServerInfo != nil {
		o.Version = r.ServerInfo.Version
	}
	o.Instructions = s.view.Instructions // this goroutine wrote them
	return o
}

// code is a digest of the script and of the lock file of its packages, now.
func (c Config) code(run proc.Command) string {
	if c.URL != "" || c.Bundled {
		return ""
	}
	script, err := c.script(run.Program)
	if err != nil || c.Command != "" && !strings.ContainsRune(c.Command, filepath.Separator) && !slices.Contains(scriptTypes, filepath.Ext(script)) {
		return "" // the program is not a file of the server's own, such as npx
	}
	return codedigest.Of(script)
}

// start is how a server starts, on one line: the variables that load other code, the
// script or program, the arguments, and the folder.
func (c Config) start() string {
	if c.URL != "" {
		return c.URL
	}
	var words []string
	for _, kv := range c.Env {
		if shown, ok := codedigest.Loads(kv); ok {
			words = append(words, shown)
		}
	}
	program := c.Command
	if program == "" {
		program = c.Path
		if abs, err := filepath.Abs(program); err == nil {
			program = abs
		}
	}
	words = append(append(words, program), c.Args...)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\") {
			words[i] = fmt.Sprintf("%q", w)
		}
	}
	line := strings.Join(words, " ")
	if c.Dir != "" {
		line += " in " + c.Dir
	}
	return line
}
