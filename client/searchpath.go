package client

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// joinPath makes one PATH of several, without repeating or relative folders.
func joinPath(lists ...[]string) string {
	var all []string
	for _, dir := range slices.Concat(lists...) {
		if filepath.IsAbs(dir) && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return strings.Join(all, string(os.PathListSeparator))
}

// variable is the last value of a name in env.
func variable(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if is, value, _ := strings.Cut(kv, "="); folded(is) == name {
			return value
		}
	}
	return ""
}

// withPath gives a server the PATH by which its own program was found in place of
// was, unless the user has set one for it.
func withPath(env []string, was, path string) []string {
	for i, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if folded(name) == "PATH" && value == was {
			env[i] = name + "=" + path
		}
	}
	return env
}

// lookPath finds a program on a search path.
func lookPath(name, path string) (string, error) {
	if runtime.GOOS == "windows" || filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // what lies in the working directory is not meant
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
