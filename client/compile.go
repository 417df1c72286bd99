package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// compile builds the Go source that l would have go run, and returns the
// program and how to run that. What is compiled can have the compiler read
// files (an assembler's .incbin, a replaced module, a linked folder) and put
// them into the program: so the build is in a sandbox that reads what the server
// may read, and what a compiler needs. It writes the program, and a cache that
// no other build believes.
func (s *server) compile(ctx context.Context, goTool, path string, l Launch) (string, Launch, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, buildTimeout, errSlowBuild)
	defer cancel()
	b, err := s.newBuild(ctx, goTool, path, l)
	switch {
	case ctx.Err() != nil:
		return "", l, context.Cause(ctx)
	case err != nil:
		return "", l, err
	}
	defer func() { _ = os.RemoveAll(b.temp) }() // a later build sweeps what is left
	free, err := b.cache.lock(ctx)
	switch {
	case ctx.Err() != nil:
		return "", l, context.Cause(ctx)
	case err != nil:
		return "", l, err
	}
	defer free()
	said, end, err := b.compile(ctx)
	if err == nil && end != (proc.Exit{}) && b.lacksModules(said) {
		if said, end, err = b.run(ctx, b.online(), b.downloads(), "mod", "download"); err == nil && end == (proc.Exit{}) {
			said, end, err = b.compile(ctx)
		}
	}
	switch {
	case ctx.Err() != nil:
		return "", l, context.Cause(ctx)
	case err != nil:
		return "", l, fmt.Errorf("go build: %w", err)
	case end != (proc.Exit{}):
		s.lacks(strings.Join(said, "\n"))
		why := end.String()
		if len(said) > 0 {
			why = said[len(said)-1]
		}
		return "", l, &Error{Kind: ErrStart, Subject: s.config.Path, Err: fmt.Errorf("go build: %s", why), Stderr: said}
	}
	// A link would have the server's sandbox read what it leads to.
	if info, err := os.Lstat(b.out); err != nil || !info.Mode().IsRegular() {
		return "", l, &Error{Kind: ErrStart, Subject: s.config.Path, Err: errors.New("go build left no program")}
	}
	b.cache.sweep()
	return b.out, Launch{Args: l.Args[2:], Dir: l.Dir}, nil
}

// buildTimeout is for a compiler that finds nothing compiled, on a busy machine,
// and modules that have to be downloaded first.
const buildTimeout = 10 * time.Minute

var errSlowBuild = fmt.Errorf("go build took longer than %v", buildTimeout)

// A build is one compilation of a server.
type build struct {
	tool   toolchain
	source string // as the compiler is told
	dir    string // of the source
	out    string // the program
	temp   string // for this build alone
	policy sandbox.Policy
	cache  buildCache
}

func (s *server) newBuild(ctx context.Context, goTool, path string, l Launch) (*build, error) {
	folder, err := s.folder()
	if err != nil {
		return nil, err
	}
	b := &build{source: l.Args[1], dir: l.Dir}                                // "run", "./x.go", the server's own
	bin, work := filepath.Join(folder, "bin"), filepath.Join(folder, "build") // bin is read by the server, never written
	b.out = filepath.Join(bin, strings.TrimSuffix(filepath.Base(b.source), ".go"))
	for _, dir := range []string{bin, work, filepath.Join(folder, "cache"), filepath.Join(folder, "gocache")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making a folder for the program: %w", err)
		}
	}
	if b.tool, err = s.toolchain(ctx, goTool, path, folder); err != nil {
		return nil, err
	}
	if b.temp, err = os.MkdirTemp(work, "go-"); err != nil {
		return nil, fmt.Errorf("making a folder for the program: %w", err)
	}
	b.tool.env = append(b.tool.env, "HOME="+b.temp, "GOTMPDIR="+b.temp, "GOCACHE="+filepath.Join(folder, "gocache"))
	p, err := s.policy(b.tool.program, b.tool.env)
	if err != nil {
		_ = os.RemoveAll(b.temp)
		return nil, err
	}
	roots, files := modules(b.dir)
	for _, root := range roots { // as the folder of a script is read: not if it is the home folder
		files = append(files, sandbox.For(b.tool.program, root, folder, nil, p.Private...).Read...)
	}
	for _, file := range slices.Clone(files) { // none is a link, but what it lies in may be
		files = append(files, unlinked(file))
	}
	b.policy = p.Spared(sandbox.Grant{Read: files})
	b.policy.Read, b.policy.Present = slices.Concat(b.policy.Read, p.Write, p.Present), nil
	b.policy.System = append(append(b.policy.System, b.tool.reads()...), filepath.Join(folder, "cache"))
	b.policy.Write = []string{bin, filepath.Join(folder, "gocache")}
	b.policy.State, b.policy.Temp, b.policy.Limits = "", work, buildLimits
	b.policy.Network, b.policy.Desktop = sandbox.NoNetwork, false
	b.cache = buildCache{dir: filepath.Join(folder, "cache"), users: b.tool.set["GOCACHE"], standard: sync.OnceValue(func() map[string]bool {
		return s.host.standard(ctx, b.tool, folder)
	})}
	return b, nil
}

// buildLimits are a compiler's: one runs on each processor.
var buildLimits = sandbox.Limits{Processes: 4096, Files: 4096, FileSize: 2 << 30, Memory: 8 << 30, Signals: 256}

// compile compiles, from what is on the disk.
func (b *build) compile(ctx context.Context) ([]string, proc.Exit, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if err := b.cache.serve(b.temp, stop); err != nil {
		return nil, proc.Exit{}, err
	}
	// A newer toolchain that the module asks for is taken if the user has it.
	env := append(b.tool.env[:len(b.tool.env):len(b.tool.env)], "GOPROXY=off", "GOFLAGS="+b.tool.flags, "GOCACHEPROG="+cacheProg)
	said, end, err := b.run(ctx, env, b.policy, "build", "-buildvcs=false", "-o", b.out, b.source)
	if cerr := b.cache.close(); err == nil && end != (proc.Exit{}) && cerr != nil {
		err = fmt.Errorf("its cache stopped answering: %w", cerr)
	}
	return said, end, err
}

// online is that of what downloads modules, and compiles nothing.
func (b *build) online() []string {
	// Below GOPATH go would note what it has seen of the checksums' database.
	return append(b.tool.env[:len(b.tool.env):len(b.tool.env)], "GOPATH="+b.temp, "GOTOOLCHAIN=local", "GOFLAGS=", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0")
}

func (b *build) downloads() sandbox.Policy {
	p := b.policy.With(sandbox.Grant{Network: sandbox.AnyNetwork})
	p.Write = append(p.Write, unlinked(b.tool.set["GOMODCACHE"]))
	return p
}

// lacksModules reports whether a build failed for want of what can be downloaded.
func (b *build) lacksModules(said []string) bool {
	return slices.ContainsFunc(said, func(line string) bool {
		return strings.Contains(line, "GOPROXY=off") ||
			strings.Contains(line, b.tool.set["GOMODCACHE"]) && strings.Contains(line, "permission denied")
	})
}

// run runs go in the source's folder, and returns what it said.
func (b *build) run(ctx context.Context, env []string, p sandbox.Policy, args ...string) ([]string, proc.Exit, error) {
	_, said, end, err := proc.Run(ctx, proc.Command{Program: b.tool.program, Args: args, Dir: b.dir, Env: env, Keeper: b.tool.keeper, Policy: &p})
	return said, end, err
}
