package proc

import (
	"fmt"
	"strings"
	"testing"
)

// kubernetes-mcp-server printed its error and then 60 lines of usage. goated showed the last flags
// as the reason.
func TestHelpBelowAnErrorIsLeftOut(t *testing.T) {
	flags := ""
	for i := range 40 {
		flags += fmt.Sprintf("      --flag%d string   does a thing\n", i)
	}
	for name, tt := range map[string]struct{ written, last string }{
		"cobra":         {"Error: no context is set\nUsage:\n  server [flags]\n\nExamples:\n  server --port 1\n\nFlags:\n" + flags + "\nUse \"server help\" for more.\n", "Error: no context is set"},
		"flag":          {"flag provided but not defined: -x\nUsage of /bin/server:\n" + flags, "flag provided but not defined: -x"},
		"argparse":      {"usage: server [-h]\n              [--key KEY]\nserver: error: --key is needed\n", "server: error: --key is needed"},
		"click":         {"Usage: server [OPTIONS]\nTry 'server --help' for help.\n\nError: Missing option '--key'.\n", "Error: Missing option '--key'."},
		"a list":        {"Error: no token\nUsage: server [flags]\n\nFlags:\n" + flags + "\nAvailable skills: a, b\n\nExamples:\n  server --x\n", "Error: no token"},
		"only the help": {"Usage:\n  server [flags] FOLDER\n" + flags, "  server [flags] FOLDER"},
		"of an install": {"Installed 29 packages in 266ms\nUsage: server FOLDER\n" + flags, "Usage: server FOLDER"},
		"a later error": {"Usage: server FOLDER\n" + flags + "Connection refused: 127.0.0.1\n", "Connection refused: 127.0.0.1"},
		"no help":       {"Flags:\n  --x\nboom\n  at f\n", "  at f"},
	} {
		var log LogRing
		_, _ = log.Write([]byte(tt.written))
		tail := log.Tail()
		if got := tail[len(tail)-1]; got != tt.last {
			t.Errorf("%s: the last line is %q in %s", name, got, strings.Join(tail, "\n"))
		}
	}
}
