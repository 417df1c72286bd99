package client

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"

	"goated/client/internal/sources"
	"goated/internal/proc"
	"goated/internal/venv"
)

// A Launch says how to run a server's script.
type Launch struct {
	Programs []string // candidates, best first: the first that is installed runs
	Args     []string // ending with the script
	Dir      string   // working directory; empty means the host's
}

// Command says how to run the server script at path. Only the extension decides, and its case
// matters. python3 runs ".py", or python on Windows and on systems without python3. node runs
// ".js", and go run runs ".go". For any other path the error is [ErrExtension]. Command looks
// nothing up and starts nothing (seed 003, properties 1 and 2; requirements 2.8, 3.2, 3.3).
func Command(path string) (Launch, error) { return command(path, runtime.GOOS) }

func command(path, goos string) (Launch, error) {
	script := path
	if strings.HasPrefix(script, "-") {
		script = "./" + script // an interpreter would take it for an option
	}
	switch {
	case strings.HasSuffix(path, ".py"):
		programs := []string{"python3", "python"}
		if goos == "windows" {
			programs = []string{"python"}
		}
		return Launch{Programs: programs, Args: []string{script}}, nil
	case strings.HasSuffix(path, ".js"):
		return Launch{Programs: []string{"node"}, Args: []string{script}}, nil
	case strings.HasSuffix(path, ".go"):
		// go run resolves imports by the module of its working directory.
		return Launch{
			Programs: []string{"go"},
			Args:     []string{"run", "./" + filepath.Base(path)},
			Dir:      filepath.Dir(path),
		}, nil
	}
	return Launch{}, &Error{Kind: ErrExtension, Subject: path}
}

// program finds the first installed program of a launch on a search path. A virtual
// environment beside a Python script has priority, because it has the script's modules.
func program(l Launch, c Config, path string) (string, error) {
	if python := venv.Python(venv.Script(c.Path, c.Command, l.Args, l.Dir)); python != "" {
		return python, nil
	}
	var first error
	for _, name := range l.Programs {
		found, err := proc.LookPath(name, path)
		if err == nil {
			return found, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errors.New("no program to run")
	}
	return "", first
}

// compiles reports whether a launch runs a local Go source with "go run".
func compiles(l Launch) bool {
	if len(l.Programs) == 0 {
		return false
	}
	_, ok := sources.OfGoRun(l.Programs[0], l.Args)
	return ok
}
