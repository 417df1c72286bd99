// Package venv finds the virtual environment beside a Python script.
//
// It decides for which servers that environment is used, and must not know how they start.
package venv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// commands lists the names of Python that leave the choice of an interpreter to goated. If the user
// writes a path instead, goated uses that interpreter.
var commands = []string{"python3", "python"}

// Script returns the absolute path of a server's Python script if the server uses the environment
// beside it. That is the script at path or, if path is empty, the script that command runs in dir.
// Script returns "" if there is none.
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

// scriptOf returns the first of Python's arguments that is not an option. With -m or -c, Python
// runs no script.
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

// Python returns the interpreter of the environment beside a script, or "" if there is none.
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
