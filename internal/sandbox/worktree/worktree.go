// Package worktree finds the repository of a git worktree or submodule, whose folder only has a
// .git file with the path of the repository.
//
// It does not trust a .git file, which may name any path: the repository must name the worktree
// too. It must not know sandboxes or permissions.
package worktree

import (
	"os"
	"path/filepath"
	"strings"

	"goated/internal/paths"
)

// Whole returns the git folder of the repository that contains a path, if one of the repository's
// worktrees is readable. Otherwise it returns the path itself.
func Whole(path string, readable func(string) bool) string {
	if git, tree := repository(path); git != "" && readable(tree) {
		return git
	}
	return path
}

// Git returns the git folder of the repository of the worktree or submodule whose git folder is at
// path, or "" if there is none.
func Git(path string) string {
	git, _ := repository(path)
	return git
}

// repository returns the git folder of the repository that contains path, and the worktree or
// submodule that refers to it and to which it refers. It returns "" if there is none. It reads the
// file system.
func repository(path string) (git, tree string) {
	for dir := filepath.Clean(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(filepath.Dir(dir)) == "worktrees" {
			file := place(dir, text(filepath.Join(dir, "gitdir")))
			common := filepath.Dir(filepath.Dir(dir))
			if isRepository(common) && filepath.Base(file) == ".git" && names(file, dir) {
				return common, filepath.Dir(file)
			}
		}
		if isRepository(dir) {
			if tree := place(dir, workTree(filepath.Join(dir, "config"))); tree != "" && names(filepath.Join(tree, ".git"), dir) {
				return dir, tree
			}
			return "", ""
		}
	}
	return "", ""
}

// names reports whether a .git file refers to a git folder.
func names(file, git string) bool {
	target, ok := strings.CutPrefix(text(file), "gitdir:")
	at, err := os.Stat(place(filepath.Dir(file), strings.TrimSpace(target)))
	want, wantErr := os.Stat(git)
	return ok && err == nil && wantErr == nil && os.SameFile(at, want)
}

// isRepository reports whether a folder has the files of a repository.
func isRepository(dir string) bool {
	head, err := os.Stat(filepath.Join(dir, "HEAD"))
	objects, objectsErr := os.Stat(filepath.Join(dir, "objects"))
	return err == nil && objectsErr == nil && head.Mode().IsRegular() && objects.IsDir()
}

// workTree returns core.worktree from a submodule's configuration.
func workTree(config string) string {
	for line := range strings.Lines(text(config)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// place resolves a path that a file in dir contains. It returns "" for "".
func place(dir, path string) string {
	switch {
	case path == "":
		return ""
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// maxText bounds how much of a file is read.
const maxText = 64 << 10

// text returns the beginning of a regular file, or "" if it cannot be read.
func text(path string) string {
	if !paths.IsFile(path) {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data := make([]byte, maxText)
	n, _ := f.Read(data)
	return strings.TrimSpace(string(data[:n]))
}
