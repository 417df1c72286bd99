// Package install turns an entry of the MCP registry or a .mcpb bundle into a saved server. It
// downloads, checks and unpacks files, and determines how the server runs. It starts nothing, asks
// nothing, and saves nothing. Each secret value gets a reference, under which the caller saves it
// in the keyring.
package install

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/internal/catalog"
	"goated/internal/config"
	"goated/internal/inputs"
	"goated/internal/installs"
	"goated/internal/mcpb"
	"goated/internal/proc"
	"goated/internal/programs"
	"goated/internal/sandbox"
)

// An Installer installs servers. It is safe for concurrent use.
type Installer struct {
	Catalog *catalog.Client
	Bundles mcpb.Folder
	System  mcpb.System
	// Programs installs uv and Node.js for users who lack the programs that servers need.
	Programs *programs.Folder
}

// New returns an installer that keeps bundles and the registry's responses below data. registry is
// the address of the registry; "" means the official one.
func New(data, registry, goos string) Installer {
	home, _ := os.UserHomeDir()
	return Installer{
		Programs: &programs.Folder{Path: Programs(data), Registries: func() (npm, pypi string) { return installs.Main(os.Environ(), home) }},
		Catalog:  &catalog.Client{Base: registry, Cache: filepath.Join(data, "registry")},
		Bundles:  mcpb.Folder{Path: filepath.Join(data, "bundles")},
		System: mcpb.System{OS: goos, Home: home, Desktop: filepath.Join(home, "Desktop"), Documents: filepath.Join(home, "Documents"),
			Downloads: filepath.Join(home, "Downloads")},
	}
}

// Programs returns the folder for the programs that goated installs.
func Programs(data string) string { return filepath.Join(data, "programs") }

// LookPath finds programs on the PATH, and then among the programs that goated installed below
// data.
func LookPath(data string) func(program string) (string, error) {
	return func(program string) (string, error) {
		if path, err := exec.LookPath(program); err == nil {
			return path, nil
		}
		return proc.LookPath(program, programs.Bin(Programs(data)))
	}
}

// A Choice is a server that can be installed, with the values that it asks for.
type Choice struct {
	Name   string // for the user
	Label  string // describes what is installed, for example "npm package x 1.2.3"
	Unseen string // what a bundle from an unknown source starts; empty for others
	Inputs []inputs.Input

	way    catalog.Way
	bundle *mcpb.Bundle
	source string
	remove string // a downloaded file to remove
	update string // the label's prefix if the bundle replaces an installed one
}

// Close releases the resources of a choice, for example a downloaded bundle.
func (c *Choice) Close() {
	if c.bundle != nil {
		_ = c.bundle.Close()
	}
	if c.remove != "" {
		_ = os.Remove(c.remove)
	}
}

// best prepares the best way to install a server of the registry. It downloads a bundle, because
// only the bundle itself declares the values that it needs.
func (i Installer) best(ctx context.Context, s catalog.Server) (*Choice, error) {
	var why error
	for _, w := range s.Ways() {
		if w.Why != nil {
			why = errors.Join(why, fmt.Errorf("%s: %w", w.Label, w.Why))
			continue
		}
		return i.Choose(ctx, s, w)
	}
	if why == nil {
		why = errors.New("it has neither a package nor an address")
	}
	return nil, fmt.Errorf("goated can't install %s: %w", s.Name, why)
}

// Choose prepares one of the ways to install a server.
func (i Installer) Choose(ctx context.Context, s catalog.Server, w catalog.Way) (*Choice, error) {
	c := &Choice{Name: s.Label(), Label: w.Label, Inputs: w.Inputs(), way: w, source: s.Name}
	if w.Package.Type != "mcpb" {
		return c, nil
	}
	if w.Package.SHA256 == "" {
		return nil, errors.New("the entry of this bundle promises no SHA-256")
	}
	b, err := i.download(ctx, w.Package.Identifier, w.Package.SHA256)
	if err != nil {
		return nil, err
	}
	b.Label = b.update + c.Label
	return b, nil
}

// Bundle prepares the .mcpb file at a path.
func (i Installer) Bundle(path string) (*Choice, error) {
	b, err := mcpb.Open(path, "")
	if err != nil {
		return nil, err
	}
	m := b.Manifest
	if !m.Runs(i.System.OS) {
		_ = b.Close()
		return nil, fmt.Errorf("%s does not run on this system: it is made for %s", m.Title(), strings.Join(m.Compatibility.Platforms, ", "))
	}
	c := &Choice{Name: m.Title(), Label: fmt.Sprintf("bundle %s %s, SHA-256 %s", m.Name, m.Version, b.SHA256), Inputs: m.Inputs(i.System), bundle: b, source: path}
	if old, err := i.Bundles.Named(m.Name); err == nil {
		c.update = fmt.Sprintf("update of the installed version %s: ", old.Manifest.Version)
		c.Label = c.update + c.Label
	}
	return c, nil
}

// Install installs a choice with the user's values, and returns the server to save. Each secret in
// it has a value and a reference.
func (i Installer) Install(ctx context.Context, c *Choice, given inputs.Values) (config.Launch, error) {
	values, err := inputs.Fill(c.Inputs, given)
	if err != nil {
		return config.Launch{}, err
	}
	if c.bundle != nil {
		done, err := i.Bundles.Install(ctx, c.bundle, c.source)
		if err != nil {
			return config.Launch{}, err
		}
		return bundled(done, values, i.System), nil
	}
	plan, err := c.way.Plan(values)
	if err != nil {
		return config.Launch{}, err
	}
	if err := i.Catalog.Verify(ctx, c.way.Package, "", ""); err != nil {
		return config.Launch{}, err
	}
	return config.Launch{Name: c.Name, Command: plan.Program, Args: plan.Args, URL: plan.URL, Env: variables(plan.Env), Headers: variables(plan.Headers)}, nil
}

// bundled returns how an installed bundle runs. Servers cannot access goated's own folders, so it
// permits the bundle to read its own folder, and the files that the user chose.
func bundled(done mcpb.Installed, values inputs.Values, sys mcpb.System) config.Launch {
	c := done.Manifest.Command(done.Dir, values, sys)
	l := config.Launch{Name: done.Manifest.Title(), Command: c.Program, Args: c.Args, Dir: c.Dir}
	for _, v := range c.Env {
		l.Env = append(l.Env, variable(v.Name, v.Value, v.Secret))
	}
	own := sandbox.ToRead
	if done.Manifest.Server.Type == mcpb.UV { // uv creates the Python environment there
		own = sandbox.ToWrite
	}
	now := time.Now()
	l.Allowed = l.Allowed.With(sandbox.Permission{Kind: own, Path: done.Dir, At: now})
	for _, path := range c.Reads {
		if info, err := os.Stat(path); err == nil && filepath.IsAbs(path) {
			kind := sandbox.ToRead
			if info.IsDir() {
				kind = sandbox.ToWrite
			}
			l.Allowed = l.Allowed.With(sandbox.Permission{Kind: kind, Path: path, At: now})
		}
	}
	return l
}

func variables(list []catalog.Value) (out []config.Variable) {
	for _, v := range list {
		out = append(out, variable(v.Name, v.Value, v.Secret))
	}
	return out
}

// variable makes a variable, and gives it a reference if it is secret.
func variable(name, value string, secret bool) config.Variable {
	v := config.Variable{Name: name, Value: value}
	if value != "" && (secret || v.Secret()) {
		v.Ref = "server-" + rand.Text()
	}
	return v
}

// Updates returns the saved server that runs the bundle of next, or another version of its package,
// and what the server becomes if next is installed over it. The server keeps its name, the
// references of its secrets, the variables that the user added, and all decisions of the user. ok
// is false if no saved server matches. It is also false if the match is not certain: several
// servers match, or the matching one has a secret, which may belong to another account.
func (i Installer) Updates(next config.Launch, saved []config.Launch) (was, now config.Launch, ok bool) {
	runs := func(l config.Launch) bool { return otherVersion(next, l) && !secret(l) }
	if next.Dir != "" && strings.HasPrefix(next.Dir, i.Bundles.Path+string(filepath.Separator)) {
		runs = func(l config.Launch) bool { return uses(l, next.Dir) }
	}
	at := slices.IndexFunc(saved, runs)
	if at < 0 || len(others(next, saved)) > 1 {
		return was, now, false
	}
	was, now = saved[at], saved[at]
	now.Command, now.Args, now.Dir, now.Env = next.Command, next.Args, next.Dir, slices.Clone(next.Env)
	for _, v := range was.Env {
		switch n := slices.IndexFunc(now.Env, func(o config.Variable) bool { return o.Name == v.Name }); {
		case n < 0:
			now.Env = append(now.Env, v)
		case v.Ref != "" && now.Env[n].Ref != "":
			now.Env[n].Ref = v.Ref
		}
	}
	for _, p := range next.Allowed {
		if !now.Allowed.Has(p) {
			now.Allowed = now.Allowed.With(p)
		}
	}
	return was, now, true
}

// Prune removes the bundle files of a removed server, unless another saved server uses them.
func (i Installer) Prune(ctx context.Context, gone config.Launch, s config.Settings) error {
	list, err := i.Bundles.List()
	if err != nil {
		return err
	}
	for _, b := range list {
		used := slices.ContainsFunc(s.Launch, func(l config.Launch) bool { return uses(l, b.Dir) })
		if uses(gone, b.Dir) && !used {
			err = errors.Join(err, i.Bundles.Remove(ctx, b.ID))
		}
	}
	return err
}

func uses(l config.Launch, dir string) bool {
	return l.Dir == dir || strings.HasPrefix(l.Command, dir+string(filepath.Separator))
}
