// Package shebang finds the interpreter of a script by its first line.
//
// It owns the parsing of that line, and must not know policies.
package shebang

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Interpreter returns the absolute path of the interpreter in a script's first line, or "" if there
// is none. env, in the form of os.Environ, has the PATH for "env". The file must be executable, so
// that the line cannot come from another kind of file, such as a key.
func Interpreter(script string, env []string) string {
	f, err := os.Open(script)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 512)).ReadString('\n') // a file without a line has no interpreter
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return ""
	}
	program := words[0]
	if filepath.Base(program) == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") || strings.Contains(w, "=") })
		if len(words) == 0 {
			return ""
		}
		program = lookIn(words[0], env)
	}
	if info, err := os.Stat(program); err != nil || !filepath.IsAbs(program) || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return ""
	}
	return program
}

// Folders returns the folders on an environment's PATH, with their links resolved.
func Folders(env []string) (out []string) {
	for _, kv := range env {
		path, ok := strings.CutPrefix(kv, "PATH=")
		for _, dir := range filepath.SplitList(path) {
			if real, err := filepath.EvalSymlinks(dir); ok && err == nil && filepath.IsAbs(dir) {
				out = append(out, real)
			}
		}
	}
	return out
}

// lookIn finds a program on an environment's PATH.
func lookIn(name string, env []string) string {
	for _, kv := range env {
		path, ok := strings.CutPrefix(kv, "PATH=")
		for _, dir := range filepath.SplitList(path) {
			file := filepath.Join(dir, name)
			if info, err := os.Stat(file); ok && filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return file
			}
		}
	}
	return ""
}
