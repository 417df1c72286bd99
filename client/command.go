package client

import (
	"path/filepath"
	"runtime"
	"strings"
)

// A Launch says how to run a server's script.
type Launch struct {
	Programs []string // candidates, best first: the first that is installed runs
	Args     []string // ending with the script
	Dir      string   // working directory; empty means the host's
}

// Command says how to run the server script at path. The extension alone
// decides, and its case matters: ".py" is run by python3, or python on Windows
// and where there is no python3; ".js" by node; ".go" by go run. Any other path
// is [ErrExtension]. Nothing is looked up and nothing is started
// (seed 003, properties 1 and 2; requirements 2.8, 3.2, 3.3).
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
