// Package paths answers questions about paths for the whole program.
//
// It has no state and must not know its callers.
package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Within reports whether path is dir or is inside it. It compares names and does not follow links.
func Within(path, dir string) bool {
	if runtime.GOOS != "windows" && filepath.IsAbs(path) && filepath.IsAbs(dir) {
		return below(filepath.Clean(path), filepath.Clean(dir))
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// below is Within for clean absolute paths of Unix. filepath.Rel takes twice as long, and the
// sandbox compares each file that a server opens with dozens of folders.
func below(path, dir string) bool {
	rest, found := strings.CutPrefix(path, dir)
	return found && (rest == "" || rest[0] == '/' || dir == "/")
}

// WithinAny reports whether path is [Within] one of some folders and files.
func WithinAny(path string, some []string) bool {
	path = filepath.Clean(path) // once
	return slices.ContainsFunc(some, func(dir string) bool { return Within(path, dir) })
}

// Absolute returns the absolute form of path. If the working directory does not exist, it returns
// path unchanged, because the use of path then fails with a clear error.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// IsFile reports whether path is a regular file, or a link to one.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsDir reports whether path is a folder, or a link to one.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// WithoutPath returns the cause of a file system error, without the paths in it.
func WithoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
