// Package folders knows which folder each server writes. It owns the parent of these folders, and makes a
// temporary one if there is none. It must not know how a server starts.
package folders

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"goated/internal/sandbox"
	"goated/registry"
)

// A Server holds what the folder of a server depends on.
type Server struct {
	Program string   // its path, or a command
	Command []string // the working directory and the arguments of a command, otherwise nil
	Name    string   // the name that the user sees, or ""
	Bundled bool     // part of goated; its name alone decides
}

// Tree manages the folders that servers write. It is safe for concurrent use.
type Tree struct {
	configured string
	others     []string
	log        *slog.Logger

	mu   sync.Mutex
	temp string // in place of configured; empty: not made
}

// New returns the folders below parent, which may be empty. others are folders that are as private as
// parent.
func New(parent string, others []string, log *slog.Logger) *Tree {
	return &Tree{configured: parent, others: others, log: log}
}

// Of returns the folder of a server, which no server with another name has. The server owns the
// subfolders "files" and "tmp". goated owns "bin", which the server can only read.
func (t *Tree) Of(s Server) (string, error) {
	return t.of(s, func(parent string, o owner) string {
		name, err := t.claim(parent, o)
		if err != nil {
			t.log.Warn("another server may write into the same folder", "folder", name, "cause", err)
		}
		return name
	})
}

// Find is like Of for a server that does not start yet. It changes nothing.
func (t *Tree) Find(s Server) (string, error) {
	return t.of(s, func(parent string, o owner) string {
		all, _ := t.load(parent) // Of reports the error
		name, _ := all.find(o)
		return name
	})
}

func (t *Tree) of(s Server, name func(parent string, o owner) string) (string, error) {
	parent, err := t.Parent()
	if err != nil {
		return "", err
	}
	if s.Bundled { // the same program at any path
		return filepath.Join(parent, registry.ServerID(s.Name)), nil
	}
	o, err := s.owner()
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, name(parent, o)), nil
}

// key identifies what runs: two accounts of one server have the same key.
func (s Server) key() (string, error) {
	text, base := "", filepath.Base(s.Program)
	if s.Command != nil { // two servers may share a program, such as npx
		text = fmt.Sprintf("%q", append([]string{s.Program}, s.Command...))
	} else {
		abs, err := filepath.Abs(s.Program)
		if err != nil {
			return "", fmt.Errorf("finding the server's folder: %w", err)
		}
		text = abs
	}
	sum := sha256.Sum256([]byte(text))
	return registry.ServerID(strings.TrimSuffix(base, filepath.Ext(base))) + "-" + fmt.Sprintf("%x", sum[:6]), nil
}

// Private returns the parent of all folders and the others, each by its path and without symbolic links.
func (t *Tree) Private() []string {
	dirs := slices.Clone(t.others)
	if parent, err := t.Parent(); err == nil {
		dirs = append(dirs, parent)
	}
	for _, dir := range slices.Clone(dirs) {
		if real := sandbox.ResolveLinks(dir); !slices.Contains(dirs, real) {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// Parent returns the parent of all servers' folders: the configured folder, or a temporary one if that
// cannot be created. It resolves symbolic links, because the rules of a sandbox do not apply to links.
func (t *Tree) Parent() (string, error) {
	var cause error
	if t.configured != "" {
		dir, err := filepath.Abs(t.configured)
		if err != nil {
			return "", fmt.Errorf("finding the folder for what servers write: %w", err)
		}
		if cause = os.MkdirAll(dir, 0o700); cause == nil {
			return sandbox.ResolveLinks(dir), nil
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.temp == "" {
		dir, err := os.MkdirTemp("", "goated-servers-")
		if err != nil {
			return "", fmt.Errorf("making a folder for what servers write: %w", err)
		}
		t.temp = sandbox.ResolveLinks(dir)
		if cause != nil {
			t.log.Warn("servers lose their files when goated ends, because their folder cannot be made", "folder", dir, "cause", cause)
		}
	}
	return t.temp, nil
}

// Remove removes the temporary folder.
func (t *Tree) Remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.temp != "" {
		_ = os.RemoveAll(t.temp) // the system cleans up the rest
		t.temp = ""
	}
}
