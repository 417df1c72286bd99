package gobuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// A Request describes one build. Build does not modify its slices.
type Request struct {
	Go     string   // the path of the go command
	Dir    string   // of the source; go runs there
	Source string   // the argument of go build, for example "./x.go"
	Folder string   // the server's own folder; absolute, without symbolic links
	Env    []string // the environment in which the user runs go
	Keeper []string // see [proc.Command]
	// Policy returns what the server may do when program runs it with env. The build may read
	// everything that the server may read and write, but write none of it.
	Policy func(program string, env []string) (*sandbox.Policy, error)
}

// A CompileError is the error of a source that does not compile.
type CompileError struct {
	Output []string // the last lines of go's stderr
	End    proc.Exit
}

func (f *CompileError) Error() string {
	if n := len(f.Output); n > 0 {
		return "go build: " + f.Output[n-1]
	}
	return "go build: " + f.End.String()
}

// Build compiles a source and returns the path of the program, which is below the request's folder.
// Only one build at a time runs in a folder, across all processes. If the source does not compile,
// the error is a [*CompileError]. If ctx ends, the error is its cause. Build is safe for concurrent use.
func Build(ctx context.Context, r Request) (program string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	err = build(ctx, r, &program)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return program, err
}

// limit is long enough for a busy machine that downloads the modules and compiles all packages.
const limit = 10 * time.Minute

var errSlow = fmt.Errorf("go build took longer than %v", limit)

func build(ctx context.Context, r Request, program *string) error {
	b, err := newBuilder(ctx, r)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(b.temp) }()
	unlock, err := b.cache.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := b.cache.prepare(ctx, b.tool); err != nil {
		return err
	}
	output, end, err := b.compile(ctx)
	if err == nil && end != (proc.Exit{}) && b.lacksModules(output) {
		if output, end, err = b.run(ctx, b.onlineEnv(), b.online(), "mod", "download"); err == nil && end == (proc.Exit{}) {
			output, end, err = b.compile(ctx)
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("go build: %w", err)
	case end != (proc.Exit{}):
		return &CompileError{Output: output, End: end}
	}
	// The server's sandbox may read the program. If the program were a symbolic link, the server
	// could read its target.
	if info, err := os.Lstat(b.out); err != nil || !info.Mode().IsRegular() {
		return errors.New("go build left no program")
	}
	*program = b.out
	return nil
}

// A builder runs the steps of one build.
type builder struct {
	tool   toolchain
	source string
	dir    string // of the source
	out    string // the program
	temp   string // only for this build
	policy sandbox.Policy
	cache  cache
}

func newBuilder(ctx context.Context, r Request) (*builder, error) {
	b := &builder{source: r.Source, dir: r.Dir, cache: cache{dir: filepath.Join(r.Folder, "gocache")}}
	bin, work := filepath.Join(r.Folder, "bin"), filepath.Join(r.Folder, "build") // the server may read bin but not write it
	b.out = filepath.Join(bin, programName(b.source))
	for _, dir := range []string{bin, work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making a folder for the build: %w", err)
		}
	}
	var err error
	if b.tool, err = findToolchain(ctx, r); err != nil {
		return nil, err
	}
	if b.temp, err = os.MkdirTemp(work, "go-"); err != nil {
		return nil, fmt.Errorf("making a folder for the build: %w", err)
	}
	b.tool.env = append(b.tool.env, "HOME="+b.temp, "GOTMPDIR="+b.temp, "GOCACHE="+b.cache.dir)
	p, err := r.Policy(b.tool.program, b.tool.env)
	if err != nil {
		_ = os.RemoveAll(b.temp)
		return nil, err
	}
	b.policy = b.confine(*p, r.Folder, work, bin)
	return b, nil
}

// programName returns the name for the program that is compiled from a source, which is a file or a
// package.
func programName(source string) string {
	name := strings.TrimSuffix(filepath.Base(source), ".go")
	if strings.Trim(name, ".") == "" {
		return "server"
	}
	return name
}

// confine derives the policy of a build from the policy of its server. A build may read what the
// server may, and also the modules and the toolchain. It may write the program and the cache, and
// has no network.
func (b *builder) confine(p sandbox.Policy, folder, work, bin string) sandbox.Policy {
	roots, files := modules(b.dir)
	for _, root := range roots { // by the rules for a script's folder, which exclude the home folder
		files = append(files, sandbox.For(b.tool.program, root, folder, nil, p.Private...).Read...)
	}
	for _, file := range slices.Clone(files) { // no file is a link, but its folder may be one
		files = append(files, sandbox.ResolveLinks(file))
	}
	out := p.WithoutPrivate(sandbox.Grant{Read: files})
	out.Read, out.Present = slices.Concat(out.Read, p.Write, p.Present), nil
	out.System = append(out.System, b.tool.reads()...)
	out.Write = []string{bin, b.cache.dir}
	out.State, out.Temp, out.Limits = "", work, limits
	out.Network, out.Desktop = sandbox.NoNetwork, false
	return out
}

// limits allow one compiler for each processor.
var limits = sandbox.Limits{Processes: 4096, Files: 4096, FileSize: 2 << 30, Memory: 8 << 30, Signals: 256}

// compile compiles without the network. The program has no information for debuggers, which takes a
// third of the time to link; a panic prints the same.
func (b *builder) compile(ctx context.Context) ([]string, proc.Exit, error) {
	// GOTOOLCHAIN is the user's setting: go may use a newer toolchain that was already downloaded.
	env := append(slices.Clone(b.tool.env), "GOPROXY=off", "GOFLAGS="+b.tool.flags)
	return b.run(ctx, env, b.policy, "build", "-buildvcs=false", "-ldflags=-w", "-o", b.out, b.source)
}

// onlineEnv returns the environment in which go downloads modules. go compiles nothing there.
func (b *builder) onlineEnv() []string {
	// go writes its checksum database cache below GOPATH.
	return append(slices.Clone(b.tool.env), "GOPATH="+b.temp, "GOTOOLCHAIN=local", "GOFLAGS=", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0")
}

// online returns the policy of a download of modules.
func (b *builder) online() sandbox.Policy {
	p := b.policy.With(sandbox.Grant{Network: sandbox.AnyNetwork})
	p.Write = append(p.Write, sandbox.ResolveLinks(b.tool.set["GOMODCACHE"]))
	return p
}

// lacksModules reports whether a build failed because modules are missing.
func (b *builder) lacksModules(output []string) bool {
	return slices.ContainsFunc(output, func(line string) bool {
		return strings.Contains(line, "GOPROXY=off") ||
			strings.Contains(line, b.tool.set["GOMODCACHE"]) && strings.Contains(line, "permission denied")
	})
}

// run runs go in the source's folder and returns the last lines of its stderr.
func (b *builder) run(ctx context.Context, env []string, p sandbox.Policy, args ...string) ([]string, proc.Exit, error) {
	_, output, end, err := proc.Run(ctx, proc.Command{Program: b.tool.program, Args: args, Dir: b.dir, Env: env, Keeper: b.tool.keeper, Policy: &p})
	return output, end, err
}
