// Package folders knows which folder each server writes. It owns the parent of these folders, and makes a
// temporary one if there is none. It must not know how a server starts.
package folders

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"goated/internal/sandbox"
	"goated/registry"
)

// A Server is what decides the folder of a server.
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

	mu   sync.Mutex
	temp string // in place of configured; empty: not made
}

// New returns the folders below parent, which may be empty. others are folders that are as private as
// parent.
func New(parent string, others []string) *Tree { return &Tree{configured: parent, others: others} }

// Of returns the folder of a server. The server owns the subfolders "files" and "tmp". goated owns "bin",
// which the server can only read.
func (t *Tree) Of(s Server) (string, error) {
	parent, err := t.Parent()
	if err != nil {
		return "", err
	}
	if s.Bundled { // the same program at any path
		return filepath.Join(parent, registry.ServerID(s.Name)), nil
	}
	key, err := s.key()
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, key), nil
}

// key returns the name of the folder of a server without a name.
func (s Server) key() (string, error) {
	text, base := s.Program, filepath.Base(s.Program)
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
	if t.configured != "" {
		dir, err := filepath.Abs(t.configured)
		if err != nil || os.MkdirAll(dir, 0o700) == nil {
			return sandbox.ResolveLinks(dir), err
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
