package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/registry"
)

// Why a server does not start that can't be sandboxed: the user does not want
// that, or nobody can be asked.
var (
	errUnconfined = errors.New("it cannot be sandboxed here, and you did not allow it to run without")
	errNobody     = errors.New("it cannot be sandboxed here, and nobody can be asked whether it may run without")
)

// Unconfined reports whether err is that a server does not run since this system
// can't sandbox it, and nobody could be asked.
func Unconfined(err error) bool { return errors.Is(err, errNobody) }

// folder is where the server keeps what it writes. Its name is made of the
// script's whole path, so that no server has another's. Below it, "files" and "tmp" are the
// server's; "bin" is goated's, and only read by the server.
func (s *server) folder() (string, error) {
	data, err := s.host.data()
	if err != nil {
		return "", err
	}
	if s.config.Bundled { // the same program at any path
		return filepath.Join(data, registry.ServerID(s.config.Name)), nil
	}
	key, base := s.config.Path, filepath.Base(s.config.subject())
	if s.config.Command != "" { // two servers may share a program, such as npx
		key = fmt.Sprintf("%q", append([]string{s.config.Command, s.config.Dir}, s.config.Args...))
	} else if key, err = filepath.Abs(key); err != nil {
		return "", fmt.Errorf("finding the server's folder: %w", err)
	}
	sum := sha256.Sum256([]byte(key))
	name := registry.ServerID(strings.TrimSuffix(base, filepath.Ext(base)))
	return filepath.Join(data, name+"-"+fmt.Sprintf("%x", sum[:6])), nil
}

// Private are the folders that only what the user allows a server opens to it, as
// they are called and as their links lead to them: those of the options, and
// where all servers keep what they write. It looks at the disk.
func (h *Host) Private() []string {
	dirs := slices.Clone(h.o.Private)
	if data, err := h.data(); err == nil {
		dirs = append(dirs, data)
	}
	for _, dir := range slices.Clone(dirs) {
		if real := unlinked(dir); !slices.Contains(dirs, real) {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// unlinked is a path without links, as far as it is there yet.
func unlinked(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil || path == filepath.Dir(path) {
		return cmp.Or(real, path)
	}
	return filepath.Join(unlinked(filepath.Dir(path)), filepath.Base(path))
}

// data is the folder of all servers' folders: a temporary one where the disk
// does not take that of the options. Links to it are the user's, and followed here:
// no rule of a sandbox does.
func (h *Host) data() (string, error) {
	if h.o.Data != "" {
		dir, err := filepath.Abs(h.o.Data)
		if err != nil || os.MkdirAll(dir, 0o700) == nil {
			return unlinked(dir), err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.temp == "" {
		dir, err := os.MkdirTemp("", "goated-servers-")
		if err != nil {
			return "", fmt.Errorf("making a folder for what servers write: %w", err)
		}
		h.temp = unlinked(dir)
	}
	return h.temp, nil
}

// confined reports whether the server runs in a sandbox: not if the user said
// so, or the system has none and the user lets it run nevertheless.
func (s *server) confined(ctx context.Context) (bool, error) {
	switch {
	case s.config.NoSandbox:
		return false, nil
	case s.host.probe().Confined():
		return true, nil
	case s.config.Bundled || s.config.Unconfined:
		return false, nil
	}
	h, path := s.host, fmt.Sprintf("%q", append([]string{s.config.subject()}, s.config.commandArgs()...))
	h.mu.Lock()
	allowed := h.unconfined[path]
	h.mu.Unlock()
	switch {
	case allowed:
		return false, nil
	case h.o.Unconfined == nil:
		return false, errNobody
	case !h.o.Unconfined(ctx, s.view.Name, s.config):
		return false, errUnconfined
	}
	h.mu.Lock()
	h.unconfined[path] = true // it is asked once, and not with each restart
	h.mu.Unlock()
	return false, nil
}

// lacks keeps what a failed call said, of which it may be told what the server
// lacks: most servers catch a refusal, and write nothing to stderr.
func (s *server) lacks(said string) {
	lines := strings.Split(said[:min(len(said), refusedBytes)], "\n")
	s.host.mu.Lock()
	s.refused = append(s.refused, lines...)
	s.refused = s.refused[max(0, len(s.refused)-proc.TailLines):]
	s.host.mu.Unlock()
	s.host.changedSoon()
}

// refusedBytes is how much of a failed call's text is looked at.
const refusedBytes = 8 << 10

// policy is what the server's process, run by program with env, may do.
func (s *server) policy(program string, env []string) (*sandbox.Policy, error) {
	folder, err := s.folder()
	if err != nil {
		return nil, err
	}
	script, err := s.config.script(program)
	if err != nil {
		return nil, fmt.Errorf("finding the script's folder: %w", err)
	}
	p := sandbox.For(program, script, folder, env, s.host.Private()...)
	if !s.config.Bundled {
		for _, g := range []sandbox.Grant{named(s.config.Args, script), {Read: dirOf(s.config)}} {
			p = p.Spared(g)
		}
	}
	p = p.With(s.config.Grant)
	return &p, nil
}

// script is the absolute path of the file whose surroundings the server may read:
// its script; for a command, its first argument that is a script, or else the
// program; for a bundled server, none.
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
		if info, err := os.Stat(a); err == nil && info.Mode().IsRegular() && slices.Contains(scriptTypes, filepath.Ext(a)) {
			return filepath.Abs(a)
		}
	}
	return program, nil
}

// scriptTypes are the extensions of scripts among a command's arguments.
var scriptTypes = []string{".py", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".php", ".lua", ".pl", ".sh", ".jar"}

// commandArgs are the arguments of a command; none for a script.
func (c Config) commandArgs() []string {
	if c.Command == "" {
		return nil
	}
	return c.Args
}

// dirOf is the working directory that the user chose for a server, if any: it is
// there for what is in it. A link of the user's, which a server may have made, is
// asked for as what it leads to.
func dirOf(c Config) []string {
	if dir, err := filepath.Abs(c.Dir); err == nil && c.Dir != "" && sandbox.Stands(dir) {
		return []string{dir}
	}
	return nil
}

// named is what the user allowed a server by naming it among its arguments: the
// folders of a server for files, say. The root of all files is not meant so, and
// neither is what has goated's own folders in it: those take a grant. Links are
// as they are for dirOf.
func named(args []string, script string) sandbox.Grant {
	var g sandbox.Grant
	for _, a := range args {
		if a == script {
			continue
		}
		if _, err := os.Stat(a); err == nil && filepath.IsAbs(a) && filepath.Clean(a) != "/" && sandbox.Stands(a) {
			g.Write = append(g.Write, a)
		}
	}
	return g
}
