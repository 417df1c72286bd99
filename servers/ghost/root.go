package ghost

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxLinks bounds a chain of links.
const maxLinks = 8

// relative turns a caller's path into one below the root. ok is false if the
// path leads outside. Only the spelling is judged here; links are judged by
// [os.Root] when the path is used.
func (p project) relative(given string) (rel string, ok bool) {
	if !filepath.IsAbs(given) {
		given = filepath.Join(p.root, given)
	}
	if rel, ok := below(p.root, given); ok {
		return rel, true
	}
	// The root may itself be reached by a link, /tmp on macOS for one, and the
	// caller may know it under its real name.
	real, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		return "", false
	}
	return below(real, given)
}

// below compares whole components, so /root-secret is not below /root.
func below(root, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// stat follows links as far as they stay in the project and returns the path
// it ended at. [os.Root] refuses every absolute link, even one that names a
// place in the project; such a link is resolved here, hop by hop, each hop
// again through the Root.
func (p project) stat(root *os.Root, rel string, hops int) (string, fs.FileInfo, error) {
	info, err := root.Stat(rel)
	if err == nil || hops == 0 {
		return rel, info, err
	}
	target, linkErr := root.Readlink(rel)
	if linkErr != nil {
		return rel, nil, err
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(p.root, filepath.Dir(rel), target)
	}
	inside, ok := p.relative(target)
	if !ok {
		return rel, nil, err
	}
	return p.stat(root, inside, hops-1)
}

// readDir returns at most limit entries, in no order.
func readDir(root *os.Root, rel string, limit int) (found []fs.DirEntry, truncated bool, err error) {
	// A pipe may have been swapped in; opened plainly it would wait, perhaps
	// forever, for a writer.
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
