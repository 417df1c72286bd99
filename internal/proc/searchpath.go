package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// JoinPath joins several lists of folders to one PATH. It drops duplicates and relative
// directories.
func JoinPath(lists ...[]string) string {
	var all []string
	for _, dir := range slices.Concat(lists...) {
		if filepath.IsAbs(dir) && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return strings.Join(all, string(os.PathListSeparator))
}

// Activated returns the program folders of the Python environments that are active in env. It
// supports venv and conda, and returns only folders on the PATH.
func Activated(env []string) (dirs []string) {
	own := filepath.SplitList(Getenv(env, "PATH"))
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		for _, below := range []string{"bin", "Scripts", ""} { // Windows: Scripts, or the environment itself
			if dir := filepath.Join(Getenv(env, name), below); filepath.IsAbs(dir) && slices.Contains(own, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// Getenv returns the last value of a variable in env, which has the form of os.Environ, or "" if
// the variable is not set.
func Getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if is, value, _ := strings.Cut(kv, "="); FoldName(is) == name {
			return value
		}
	}
	return ""
}

// FoldName returns a variable's name in the form in which names are compared. On Windows, that is
// upper case.
func FoldName(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// LookPath finds a program on a search path. It skips relative folders of the path. The error
// is an [*exec.Error] that wraps [exec.ErrNotFound].
func LookPath(name, path string) (string, error) {
	if runtime.GOOS == "windows" || filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
