package client

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"goated/client/internal/folders"
	"goated/internal/installs"
)

// The folders of package managers: a server's own store is in the server's folder. The copies of the
// user's configuration are beside the folders of the servers, where no server can write.
const (
	storeName  = "packages"
	copiesName = "config"
)

// packages holds how the package managers of this computer are configured. It reads their
// configuration once. It is safe for concurrent use.
type packages struct {
	env     []string
	home    string
	folders *folders.Tree
	log     func(error)

	hosts func() []string

	mu     sync.Mutex
	copied bool
	copies []string // variables
}

func newPackages(env []string, home string, f *folders.Tree, log func(error)) *packages {
	p := &packages{env: env, home: home, folders: f, log: log}
	p.hosts = sync.OnceValue(func() []string { return installs.Registries(env, home) })
	return p
}

// registries returns the hosts that a program installs packages from. uv installs Python, too.
func (p *packages) registries(program string) []string {
	return slices.Concat(p.hosts(), installs.Pythons(program, p.env))
}

// environment returns the variables for the package managers of the server that owns folder. allowed
// reports whether the server may install packages.
func (p *packages) environment(ctx context.Context, folder string, allowed bool) []string {
	out := installs.Environment(filepath.Join(folder, storeName), p.home)
	if !allowed {
		out = append(out, installs.NoRetry) // the answer stays no
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.copied {
		data, err := p.folders.Parent()
		if err == nil {
			p.copies, err = installs.Copies(ctx, filepath.Join(data, copiesName), p.env, p.home)
		}
		if p.copied = ctx.Err() == nil; err != nil {
			p.log(err)
		}
	}
	return append(append(out, p.copies...), installs.Inherited(p.env)...)
}

// installLimit bounds the start of a server that installs its packages first.
const installLimit = 10 * time.Minute

// startLimit returns the time limit of a server's start: limit, unless the server may install packages
// and has never connected.
func (p *packages) startLimit(c Config, limit time.Duration) time.Duration {
	if !c.Grant.Install {
		return limit
	}
	folder, err := p.folders.Find(c.folder())
	if err != nil {
		return limit
	}
	if _, err := os.Stat(filepath.Join(folder, installs.Mark)); err != nil {
		return max(limit, installLimit)
	}
	return limit
}

// InstallsPackages reports whether the next start of c by h is the first one that installs packages.
func InstallsPackages(h *Host, c Config) bool { return !c.NoSandbox && h.packages.startLimit(c, 0) > 0 }

// connected records that a server has connected.
func (p *packages) connected(c Config) {
	if !c.Grant.Install {
		return
	}
	if folder, err := p.folders.Of(c.folder()); err == nil {
		_ = os.WriteFile(filepath.Join(folder, installs.Mark), nil, 0o600) // else the next start has more time than it needs
	}
}

// KeepFolder gives the folder of a replaced server to its replacement, unless the replacement has files
// already. The replacement then finds the files, although its arguments or its name differ.
func KeepFolder(h *Host, was, now Config) {
	if was.URL != "" || now.URL != "" {
		return // no process of it writes files here
	}
	if err := h.folders.Keep(was.folder(), now.folder()); err != nil {
		h.o.Logger.Warn("a changed server does not find its files", "server", now.Name, "cause", err)
	}
	if was.subject() == now.subject() && slices.Equal(was.Args, now.Args) {
		return
	}
	if folder, err := h.folders.Find(now.folder()); err == nil {
		_ = os.Remove(filepath.Join(folder, installs.Mark)) // it may install another version; without a mark there is nothing to remove
	}
}
