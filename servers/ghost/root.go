package ghost

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks bounds a chain of links.
const maxLinks = 8

// relative returns a caller's path relative to the root. ok is false if the path leads outside. It
// checks only the spelling: [os.Root] checks the links when the path is used.
func (p project) relative(given string) (rel string, ok bool) {
	if rest, ok := strings.CutPrefix(given, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			given = home + rest
		}
	}
	if !filepath.IsAbs(given) {
		given = filepath.Join(p.root, given)
	}
	if rel, ok := relativeTo(p.root, given); ok {
		return rel, true
	}
	// The root itself may be behind a link, such as /tmp on macOS, and the caller may use the
	// root's real path.
	real, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		return "", false
	}
	return relativeTo(real, given)
}

// relativeTo returns path relative to root. ok is false if path is not below root. It compares
// whole components, so /root-secret is not below /root.
func relativeTo(root, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// stat follows links within the project and returns the final path. [os.Root] refuses every
// absolute link, even one into the project, so stat resolves these itself, each step through the
// Root.
func (p project) stat(root *os.Root, rel string, hops int) (string, fs.FileInfo, error) {
	info, err := root.Stat(rel)
	if err == nil || hops == 0 {
		return rel, info, err
	}
	target, ok := p.firstLink(root, rel)
	if !ok {
		return rel, nil, err
	}
	return p.stat(root, target, hops-1)
}

// firstLink replaces the first link in a path by its target. ok is false if there is none, or if it
// leads outside.
func (p project) firstLink(root *os.Root, rel string) (path string, ok bool) {
	rest := rel
	for at := ""; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, string(filepath.Separator))
		link := filepath.Join(at, name)
		target, err := root.Readlink(link)
		if err != nil {
			at = link
			continue
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(p.root, at, target)
		}
		if target, ok = p.relative(target); !ok {
			return "", false
		}
		return filepath.Join(target, rest), true
	}
	return "", false
}

// readDir returns up to limit entries, in no particular order.
func readDir(root *os.Root, rel string, limit int) (found []fs.DirEntry, truncated bool, err error) {
	// The directory may have been replaced by a pipe. Opening a pipe would block until it has a
	// writer.
	dir, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	found, err = dir.ReadDir(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	if len(found) > limit {
		return found[:limit], true, nil
	}
	return found, false, nil
}
