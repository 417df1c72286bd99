package client

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"goated/client/internal/arguments"
	"goated/client/internal/folders"
	"goated/internal/launch"
	"goated/internal/paths"
	"goated/internal/sandbox"
	"goated/internal/sandbox/hold"
	"goated/internal/sandbox/public"
	"goated/internal/sandbox/trusted"
)

// The reasons why a server does not start without a sandbox: the user refused, or there is no user
// to ask.
var (
	errUnconfined = errors.New("it cannot be sandboxed here, and you did not allow it to run without")
	errCannotAsk  = errors.New("this system cannot sandbox it, and goated cannot ask you here whether to run it anyway")
)

// Unconfined reports whether a server did not start because this system cannot sandbox it and
// there was no user to ask.
func Unconfined(err error) bool { return errors.Is(err, errCannotAsk) }

// folder returns what the folder of the server depends on.
func (c Config) folder() folders.Server {
	f := folders.Server{Program: c.subject(), Name: c.Name, Bundled: c.Bundled}
	if c.Command != "" {
		f.Command = append([]string{c.Dir}, c.Args...)
	}
	return f
}

// confined reports whether the server runs in a sandbox. It runs without one if the user chose that,
// or if the system has no sandbox and the user agreed.
func (s *server) confined(ctx context.Context) (bool, error) {
	box := s.host.sandboxes
	switch {
	case s.config.NoSandbox:
		return false, nil
	case box.probe().Confined():
		return true, nil
	case s.config.Bundled || s.config.Unconfined:
		return false, nil
	}
	return false, box.askUnconfined(ctx, s.view.Name, s.config)
}

// policy returns the sandbox policy of the server's process, run by program with env.
func (s *server) policy(program string, env []string) (*sandbox.Policy, error) {
	folder, err := s.host.folders.Of(s.config.folder())
	if err != nil {
		return nil, err
	}
	script, err := s.config.script(program)
	if err != nil {
		return nil, fmt.Errorf("finding the script's folder: %w", err)
	}
	var p sandbox.Policy
	if s.config.Command != "" && script == program && (filepath.Base(s.config.Command) == s.config.Command || launch.IsRunner(s.config.Command)) {
		p = sandbox.ForCommand(program, folder, env, s.host.Private()...)
	} else {
		p = sandbox.For(program, script, folder, env, s.host.Private()...)
	}
	if !s.config.Bundled {
		named, withheld := arguments.Grant(slices.Concat(s.config.Args, workingDirs(s.config)), script)
		p = p.WithProjects(arguments.Projects(program, s.config.commandArgs(), workingDirs(s.config))).WithoutPrivate(named)
		s.host.list.mu.Lock()
		s.failed.withheld = withheld
		s.host.list.mu.Unlock()
		p.Packages.Store = filepath.Join(folder, storeName)
		p.System = append(p.System, filepath.Join(filepath.Dir(folder), copiesName))
		if dir := s.host.o.Process.Programs; dir != "" {
			p.System = append(p.System, sandbox.ResolveLinks(dir))
		}
		p.Packages.Registries = s.host.packages.registries(s.config.Command)
	}
	p = p.With(s.config.Grant)
	if s.host.o.Process.Permit != nil && !s.config.Bundled {
		ask := hold.Ask(func(ctx context.Context, host string, answer func(hold.Answer)) {
			askHostPermission(ctx, s, host, answer)
		})
		p.Asks, p.Ask = true, ask.Except(func(host string) bool {
			return public.IsMetadata(host) && !strings.Contains(s.config.enteredText(), host)
		})
	}
	return &p, nil
}

// script returns the absolute path of the file whose folder the server may read: its script, or for a
// command the first argument that is a script, otherwise the program. A bundled server has none.
func (c Config) script(program string) (string, error) {
	switch {
	case c.Bundled:
		return "", nil
	case c.Command == "":
		return filepath.Abs(c.Path)
	}
	for _, a := range c.Args {
		if !filepath.IsAbs(a) {
			a = filepath.Join(c.Dir, a)
		}
		if paths.IsFile(a) && slices.Contains(scriptTypes, filepath.Ext(a)) {
			return filepath.Abs(a)
		}
	}
	return program, nil
}

// scriptTypes are the extensions of scripts among a command's arguments.
var scriptTypes = []string{".py", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".php", ".lua", ".pl", ".sh", ".jar"}

// commandArgs returns the arguments of a command; none for a script.
func (c Config) commandArgs() []string {
	if c.Command == "" {
		return nil
	}
	return c.Args
}

// workingDirs returns the working directory that the user chose for a server, if any. The server may read
// it. workingDirs does not follow a link, since a server may have planted it.
func workingDirs(c Config) []string {
	if dir, err := filepath.Abs(c.Dir); err == nil && c.Dir != "" && trusted.Path(dir) {
		return []string{dir}
	}
	return nil
}

// GrantOfArguments returns the permissions that a server gets without asking, because its arguments
// name the paths: to read files and folders, and to create files. It reads the file system.
func GrantOfArguments(args []string) sandbox.Grant {
	g, _ := arguments.Grant(args, "")
	return g
}
