// Package venv finds the virtual environment beside a Python script.
//
// It owns the rule for which servers that environment is, and must not know how they start.
package venv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// commands are the names of Python that leave the choice of an interpreter to goated. The user who
// writes a path wants that interpreter.
var commands = []string{"python3", "python"}

// Script returns the Python script of a server that runs by the environment beside it, as an
// absolute path: the script at path or, without one, the script that command runs in dir. It is
// empty if there is none.
func Script(path, command string, args []string, dir string) string {
	script := path
	if path == "" && slices.Contains(commands, command) {
		script = scriptOf(args)
		if dir != "" && !filepath.IsAbs(script) {
			script = filepath.Join(dir, script)
		}
	}
	if !strings.HasSuffix(script, ".py") {
		return ""
	}
	abs, err := filepath.Abs(script)
	if err != nil {
		return ""
	}
	return abs
}

// scriptOf returns the first of Python's arguments that is not an option. Behind -m and -c, Python runs
// no script.
func scriptOf(args []string) string {
	for _, a := range args {
		switch {
		case a == "-m" || a == "-c":
			return ""
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

// Python returns the interpreter of the environment beside a script; empty if there is none.
func Python(script string) string {
	if script == "" {
		return ""
	}
	for _, in := range []string{"bin/python3", "Scripts/python.exe"} {
		python := filepath.Join(filepath.Dir(script), ".venv", filepath.FromSlash(in))
		if _, err := os.Stat(python); err == nil {
			return python
		}
	}
	return ""
}
